import { formatResources, karpenterKinds, type Milliseconds, ownValue, toWhole, zero } from '@kerf/apis'
import { type Controller, done, retryAfter, source } from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { ClusterSync } from '../state/cluster-sync.ts'

const COUNT_EVERY: Milliseconds = 5_000
const SYNC_RETRY: Milliseconds = 1_000

/** These resources are always reported, so that a pool without nodes shows zeros. */
const BASELINE = { cpu: zero, memory: zero, pods: zero, 'ephemeral-storage': zero, nodes: zero }

const isSame = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string | number>>): boolean => {
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => ownValue(a, name) === String(ownValue(b, name)))
  )
}

/** Writes `status.resources` and `status.nodes` of every pool: the totals of its nodes, except for nodes that are being removed. */
export const nodePoolCounter = (deps: Deps, state: ClusterState, sync: ClusterSync): Controller => {
  const { informers, provider, client } = deps
  const pools = informers.of(karpenterKinds.NodePool)
  return {
    name: 'nodepool.counter',
    reconciles: karpenterKinds.NodePool,
    sources: [
      source(pools, ({ before, after }) => (before === undefined && after !== undefined ? [after.metadata.name] : [])),
    ],
    concurrency: concurrency(deps.settings, 10, 1_000),
    reconcile: async (name, signal) => {
      const pool = pools.get(name)
      if (pool === undefined || !isManagedPool(provider, pool)) return done()
      if (!(await sync.synced(signal))) return retryAfter(SYNC_RETRY)
      const usage = { ...BASELINE, ...state.poolUsage(name) }
      const resources = formatResources(usage)
      const nodes = toWhole(usage.nodes)
      if (isSame(resources, pool.status?.resources ?? {}) && pool.status?.nodes === nodes)
        return retryAfter(COUNT_EVERY)
      const gone = Object.keys(pool.status?.resources ?? {}).filter((resource) => !Object.hasOwn(resources, resource))
      const body = {
        status: { nodes, resources: { ...resources, ...Object.fromEntries(gone.map((key) => [key, null])) } },
      }
      await client.patch(karpenterKinds.NodePool, { name }, { type: 'merge', body }, { subresource: 'status', signal })
      return retryAfter(COUNT_EVERY)
    },
  }
}
