import { assembleAzure } from '@kerf/provider-azure'
import { aksNodeClassKind } from '@kerf/provider-azure/node-class'
import { azureTestSettings, fakeAzureApi, loadSdk } from '@kerf/provider-azure/testing'
import { aksNodeClass } from '@kerf/provider-azure/testing/node-class'
import { HttpClient } from '@kerf/provider-kit'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { AzureAccount, withVersion } from './azure-account.ts'
import type { AzureFault } from './azure-fault.ts'

/** Kerf retries a size 23 hours after Azure refused it as not offered (`launch-refusal.ts`). */
const REFUSED_FOR = 23 * 3_600_000

/** Creates a cloud with AKS. The clients of the Azure SDK send their requests to the Azure provider's in-memory Azure. */
export const azureCloud = (host: CloudHost): Cloud<AzureFault> => {
  const { clock, listeners, interrupted, shortages } = host
  const random = host.random.fork('azure')
  const account = new AzureAccount({
    ...{ clock, random, client: host.admin },
    claims: () => host.claims(),
    neverRegisters: () => host.neverRegisters(),
    silence: (nodeName) => host.silence(nodeName),
    interrupted: (providerID) => interrupted.add(providerID),
    beginShortage: () => shortages.begin(),
    called: (call) => {
      listeners.cloudCall(call)
      return host.failureOf(call)
    },
    terminating: (providerID) => listeners.terminating(providerID),
  })
  return {
    foreignInstances: account.foreignInstances,
    collectsLeaks: true,
    prepare: async (client) => {
      await loadSdk()
      await client.create(aksNodeClassKind, aksNodeClass('default'))
      account.start()
    },
    provider: (context, handle) => {
      const send = account.calls.of(handle)
      const provider = assembleAzure(
        { ...context, client: withVersion(context.client) },
        {
          ...{
            api: fakeAzureApi(account.azure, undefined, send),
            metrics: handle.metrics,
            settings: azureTestSettings(),
          },
          ...{ caBundle: 'Q0E=', namespace: 'kube-system', hasBilling: true },
          priceHttp: new HttpClient({ send, clock: context.clock, random: context.random }),
        },
      )
      return { provider, start: (signal) => provider.warmUp(signal) }
    },
    billed: () => account.billed(),
    running: () => account.running(),
    priceOf: (claim) => account.priceOf(claim),
    refusedFor: REFUSED_FOR,
    stockOut: (selector) => account.stockOut(selector),
    kill: (pick) => account.kill(pick),
    interrupt: (pick) => account.kill(pick, { isEviction: true }),
    recover: () => account.recover(),
    isGone: (nodeName) => account.kubelets.isGone(nodeName),
    inject: (fault) => account.inject(fault),
    leftovers: () => account.leftovers(),
    takenFromOthers: () => account.takenFromOthers(),
  }
}
