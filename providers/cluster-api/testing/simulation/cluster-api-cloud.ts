import { groupVersion, kinds } from '@kerf/apis'
import { clusterApiOver, InformedManagementCluster } from '@kerf/provider-cluster-api'
import { clusterApiNodeClassKind } from '@kerf/provider-cluster-api/node-class'
import { NAMESPACE } from '@kerf/provider-cluster-api/testing'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import type { ClusterApiFault } from './cluster-api-fault.ts'
import { CLUSTER, Management } from './management.ts'

/** Creates a simulated cloud for Cluster API: a management cluster whose Cluster API controllers are simulated (`cluster-api/`). */
export const clusterApiCloud = (host: CloudHost): Cloud<ClusterApiFault> => {
  const { clock, listeners, interrupted, shortages } = host
  const management = new Management({
    clock,
    random: host.random.fork('cluster-api'),
    workload: host.admin,
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
    foreignInstances: management.foreign,
    collectsLeaks: true,
    prepare: async (client) => {
      await management.prepare()
      const kind = clusterApiNodeClassKind
      const metadata = { name: 'default' }
      await client.create(kind, { apiVersion: groupVersion(kind), kind: kind.kind, metadata, spec: {} })
    },
    provider: (context, handle) => {
      const informed = new InformedManagementCluster({
        ...{ clock: context.clock, random: context.random, log: context.log },
        client: management.calls.of(handle),
        origin: 'the simulation',
        nodes: context.informers.of(kinds.Node),
        cluster: { namespace: NAMESPACE, name: CLUSTER },
      })
      const settings = { clusterApiTemplateDrift: true, featureGates: host.settings.featureGates }
      return clusterApiOver(informed, settings, context, { metrics: handle.metrics, aliases: [] })
    },
    billed: () => management.billed(),
    running: () => management.running(),
    priceOf: (claim) => management.priceOf(claim),
    stockOut: (selector) => management.stockOut(selector),
    kill: (pick) => management.kill(pick),
    interrupt: (pick) => management.kill(pick, 'spot'),
    recover: () => management.recover(),
    isGone: (nodeName) => management.isGone(nodeName),
    inject: (fault) => management.inject(fault),
    hasDrifted: (claim) => management.hasDrifted(claim),
    mayBeUnclaimed: (providerID) => management.mayBeUnclaimed(providerID),
    takenFromOthers: () => management.takenFromOthers(),
  }
}
