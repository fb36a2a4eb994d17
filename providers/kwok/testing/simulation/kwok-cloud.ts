import { kinds, noVocabulary } from '@kerf/apis'
import { KwokProvider, SimulatedOutages } from '@kerf/provider-kwok'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { priceIn } from '../../../../tests/simulation/environment/clouds/price-in.ts'
import { kwokInstances, TERMINATING } from './kwok-instances.ts'

/** Creates a KWOK cloud. Its instances exist only as Nodes, and the sandbox simulates their kubelets. Instances never fail. */
export const kwokCloud = (host: CloudHost): Cloud => {
  const { instanceTypes } = host
  const outages = new SimulatedOutages()
  const instances = () => kwokInstances(host.nodes())
  return {
    foreignInstances: new Set(),
    collectsLeaks: false,
    prepare: async () => {},
    provider: (context) => ({
      provider: new KwokProvider(context, {
        instanceTypes,
        labels: noVocabulary,
        outages,
        settings: { heartbeatInterval: 0, simulateKubelet: false },
      }),
    }),
    billed: instances,
    running: instances,
    priceOf: (claim) => priceIn(instanceTypes, claim),
    stockOut: (selector) => {
      outages.stockOut(selector)
      return () => outages.restock()
    },
    kill: () => {},
    interrupt: () => {},
    recover: () => outages.restock(),
    // A Node with the annotation belongs to a terminating instance.
    acted: ({ verb, kind, ref }) => {
      if (verb !== 'patch' || kind?.kind !== kinds.Node.kind) return
      const node = host.nodes().find(({ metadata }) => metadata.name === ref?.name)
      const { providerID } = node?.spec ?? {}
      if (providerID === undefined || node?.metadata.annotations?.[TERMINATING] === undefined) return
      host.listeners.terminating(providerID)
    },
  }
}
