import { usualRetries } from '@kerf/provider-kit'
import { communityNodeClassResource, oracleNodeClassResource } from '@kerf/provider-oci/node-class'
import { apiOver, createClasses, loadSdk, newOciProvider, simulatedSizes } from '@kerf/provider-oci/testing'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { OciAccount } from './oci-account.ts'
import type { OciFault } from './oci-fault.ts'

/** Creates a simulated Oracle Cloud on top of the provider's fake, with a node class of each kind. */
export const ociCloud = (host: CloudHost): Cloud<OciFault> => {
  const { clock, listeners, interrupted, shortages } = host
  // In half of the runs, Kerf terminates virtual machines that get no host (INSTANCE_LAUNCH_TIMEOUT_FAILOVER).
  const failsOver = host.random.fork('oci launch timeout').next() < 0.5
  const account = new OciAccount({
    ...{ clock, random: host.random.fork('oci'), client: host.admin },
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
  return {
    foreignInstances: account.foreignInstances,
    collectsLeaks: true,
    resources: [oracleNodeClassResource, communityNodeClassResource],
    prepare: async (client) => {
      await loadSdk()
      await createClasses(client, { oracle: { shapeConfigs: simulatedSizes } })
    },
    provider: (context, handle) => ({
      provider: newOciProvider(
        context,
        apiOver(account.calls.of(handle), context.clock, { retries: usualRetries }),
        undefined,
        failsOver,
      ),
    }),
    billed: () => account.billed(),
    running: () => account.running(),
    priceOf: (claim) => account.priceOf(claim),
    stockOut: (selector) => account.stockOut(selector),
    kill: (pick) => account.kill(pick),
    // Oracle Cloud announces the end of a preemptible instance only within the instance.
    interrupt: () => {},
    recover: () => account.recover(),
    isGone: (name) => account.kubelets.isGone(name),
    inject: (fault) => account.inject(fault),
    hasFailedLaunch: (providerID) => account.hasFailedLaunch(providerID, failsOver),
    takenFromOthers: () => account.takenFromOthers(),
  }
}
