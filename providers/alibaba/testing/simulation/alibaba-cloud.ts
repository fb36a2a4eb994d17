import { AlibabaProvider, DEFAULT_CNY_PER_USD } from '@kerf/provider-alibaba'
import { ecsNodeClassDescriptor, ecsNodeClassKind } from '@kerf/provider-alibaba/node-class'
import { apiOver, CLUSTER, loadSdk, REGION } from '@kerf/provider-alibaba/testing'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { AlibabaAccount } from './alibaba-account.ts'
import type { AlibabaFault } from './alibaba-fault.ts'

/** Creates a simulated ACK on top of the provider's fake Alibaba Cloud. The vendor's SDK encodes and signs all requests. */
export const alibabaCloud = (host: CloudHost): Cloud<AlibabaFault> => {
  const { clock, listeners, interrupted, shortages } = host
  const account = new AlibabaAccount({
    ...{ clock, random: host.random.fork('alibaba'), client: host.admin },
    neverRegisters: () => host.neverRegisters(),
    silence: (name) => host.silence(name),
    interrupted: (providerID) => interrupted.add(providerID),
    beginShortage: () => shortages.begin(),
    called: (call) => {
      listeners.cloudCall(call)
      return host.failureOf(call)
    },
    terminating: (providerID) => listeners.terminating(providerID),
  })
  const loading = loadSdk()
  return {
    foreignInstances: account.foreignInstances,
    collectsLeaks: true,
    prepare: async (client) => {
      await loading
      await client.create(ecsNodeClassKind, ecsNodeClassDescriptor.example)
    },
    provider: (context, handle) => {
      const send = account.calls.of(handle)
      const connected = loading.then((sdk) => apiOver(sdk, send, { clock: context.clock, random: context.random }))
      const provider = new AlibabaProvider(context, {
        api: { call: async (action, request, signal) => (await connected).call(action, request, signal) },
        ...{ metrics: handle.metrics, region: REGION, clusterId: CLUSTER, isManaged: true },
        ...{ vmMemoryOverheadPercent: 0.065, cnyPerUsd: DEFAULT_CNY_PER_USD, firstPrices: new Map() },
        ...{ namespace: 'kube-system', watchesInterruptions: true },
      })
      return { provider, start: (signal) => provider.warmUp(signal) }
    },
    billed: () => account.billed(),
    running: () => account.running(),
    priceOf: (claim) => account.priceOf(claim),
    stockOut: (selector) => account.stockOut(selector),
    kill: (pick) => account.kill(pick),
    interrupt: (pick) => account.interrupt(pick),
    recover: () => account.recover(),
    isGone: (name) => account.kubelets.isGone(name),
    inject: (fault) => account.inject(fault),
    takenFromOthers: () => account.takenFromOthers(),
  }
}
