import { GcpProvider } from '@kerf/provider-gcp'
import { gceNodeClassKind, gceNodeClassResource } from '@kerf/provider-gcp/node-class'
import { fakeApi, gcpTestOptions, loadSdk, publishImages, sourceTemplate } from '@kerf/provider-gcp/testing'
import { gceNodeClass } from '@kerf/provider-gcp/testing/node-class'
import { usualRetries } from '@kerf/provider-kit'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { GcpAccount } from './gcp-account.ts'
import type { GcpFault } from './gcp-fault.ts'

/** Kerf retries an offering half an hour after a launch failed for lack of capacity (`launch-refusal.ts`). */
const REFUSED_FOR = 30 * 60_000

/** Creates a simulated GKE. The Google Cloud SDK sends its requests to the GCP provider's in-memory Google Cloud. */
export const gcpCloud = (host: CloudHost): Cloud<GcpFault> => {
  const { clock, listeners, interrupted, shortages } = host
  const random = host.random.fork('gcp')
  const account = new GcpAccount({
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
  const { gcp } = account
  return {
    foreignInstances: account.foreignInstances,
    collectsLeaks: true,
    resources: [gceNodeClassResource],
    prepare: async (client) => {
      await loadSdk()
      gcp.templates = [sourceTemplate('default-pool')]
      await publishImages(gcp, client, '125-19216-220-12', 0)
      await client.create(gceNodeClassKind, gceNodeClass('default'))
      account.start()
    },
    provider: (context, handle) => {
      const api = fakeApi(gcp, { send: account.calls.of(handle), retries: usualRetries })
      return { provider: new GcpProvider(context, { ...gcpTestOptions(context.clock), api, metrics: handle.metrics }) }
    },
    billed: () => account.billed(),
    running: () => account.running(),
    priceOf: (claim) => account.priceOf(claim),
    refusedFor: REFUSED_FOR,
    stockOut: (selector) => account.stockOut(selector),
    kill: (pick) => account.kill(pick),
    interrupt: (pick) => account.preempt(pick),
    recover: () => account.recover(),
    isGone: (nodeName) => account.kubelets.isGone(nodeName),
    inject: (fault) => account.inject(fault),
    takenFromOthers: () => account.takenFromOthers(),
  }
}
