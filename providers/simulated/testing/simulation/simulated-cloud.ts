import { noVocabulary } from '@kerf/apis'
import { KwokProvider } from '@kerf/provider-kwok'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { cloudOfferings, instanceClaimUid, SimulatedProvider } from '@kerf/provider-simulated'
import { type CloudInstance, SimulatedCloud } from '@kerf/sandbox'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { priceIn } from '../../../../tests/simulation/environment/clouds/price-in.ts'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { picked } from '../../../../tests/simulation/environment/tolerant-calls.ts'

const liveInstance = (instance: CloudInstance): LiveInstance => ({
  providerID: instance.providerID,
  claimUid: instanceClaimUid(instance) ?? '',
})

/** Creates the simulated cloud of the sandbox, with the types of the KWOK provider. The sandbox boots its instances. */
export const simulatedCloud = (host: CloudHost): Cloud => {
  const { clock, random, instanceTypes, listeners, interrupted } = host
  const sandbox = new SimulatedCloud({
    clock,
    random: random.fork('cloud'),
    offerings: cloudOfferings(instanceTypes),
    overridesFor: () => (host.neverRegisters() ? { registrationDelay: 'never' } : {}),
  })
  const runningOnes = () => sandbox.instances().filter(({ state }) => state === 'pending' || state === 'running')
  sandbox.faults.follow((call) => {
    listeners.cloudCall(call)
    const ending = call.verb === 'terminate' ? runningOnes().find(({ id }) => id === call.subject) : undefined
    if (ending !== undefined) listeners.terminating(ending.providerID)
    return host.failureOf(call)
  })
  return {
    sandbox,
    foreignInstances: new Set(),
    collectsLeaks: false,
    prepare: async () => {},
    provider: (context) => {
      const { vocabulary } = new KwokProvider(context, {
        instanceTypes,
        labels: noVocabulary,
        settings: { heartbeatInterval: 0, simulateKubelet: false },
      })
      return {
        provider: new SimulatedProvider(context, {
          nodeClasses: [kwokNodeClassKind],
          cloud: sandbox,
          instanceTypes,
          vocabulary,
        }),
      }
    },
    billed: () => sandbox.instances().map(liveInstance),
    running: () => runningOnes().map(liveInstance),
    priceOf: (claim) => priceIn(instanceTypes, claim),
    stockOut: (selector) => {
      sandbox.market.exhaust(selector)
      return () => sandbox.market.restore(selector)
    },
    kill: (pick) => {
      const instance = picked(sandbox.instances(), pick)
      if (instance === undefined) return
      interrupted.add(instance.providerID)
      sandbox.kill(instance.id)
    },
    interrupt: (pick) => {
      const spot = sandbox.instances().filter(({ capacityType }) => capacityType === 'spot')
      const instance = picked(spot, pick)
      if (instance === undefined) return
      interrupted.add(instance.providerID)
      sandbox.interrupt({ id: instance.id })
    },
    recover: () => sandbox.market.restore({}),
  }
}
