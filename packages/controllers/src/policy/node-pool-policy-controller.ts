import {
  annotations,
  isEqualJson,
  karpenterKinds,
  type Milliseconds,
  type NodePoolPolicy,
  policyKinds,
} from '@kerf/apis'
import { type Controller, defineMetrics, done, isConflict, isNotFound, retry, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { readOnlySource } from '../read-only-source.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { TargetVerdict } from '../state/pool-policies/attached-policies.ts'
import { withAcceptance } from './accepted-condition.ts'
import { summary, targetStatus } from './target-status.ts'

const EVERY: Milliseconds = 10_000

export const poolPolicyMetrics = defineMetrics({
  targets: {
    name: 'kerf_nodepoolpolicy_targets',
    type: 'gauge',
    help: 'The number of NodePools that a NodePoolPolicy targets, by the reason of the Accepted condition.',
    labels: ['nodepoolpolicy', 'reason'],
  },
  asleep: {
    name: 'kerf_nodepool_asleep',
    type: 'gauge',
    help: '1 while a NodePool sleeps, 0 while it is awake. NodePools without hours have no series.',
    labels: ['nodepool'],
  },
})

/**
 * Reports as status and as a gauge which NodePools each NodePoolPolicy applies to (controller `policy.nodepool`,
 * `docs/spec/policies.md#nodepoolpolicy`).
 */
export const nodePoolPolicyController = (
  { informers, client, clock, metrics }: Deps,
  state: Pick<ClusterState, 'poolPolicies' | 'poolNodes'>,
): Controller => {
  const { poolPolicies } = state
  const policies = informers.optional(policyKinds.NodePoolPolicy)
  const pools = informers.of(karpenterKinds.NodePool)
  const gauges = poolPolicyMetrics.register(metrics)
  /** The reasons that have a gauge series, keyed by policy. */
  const shown = new Map<string, ReadonlySet<string>>()
  /** The NodePools that have a series in the sleep gauge. */
  const asleep = new Set<string>()

  const measureSleep = (): void => {
    const { pools: found } = poolPolicies.sleep(clock.now())
    for (const nodepool of asleep) {
      if (found.has(nodepool)) continue
      gauges.asleep.remove({ nodepool })
      asleep.delete(nodepool)
    }
    for (const [nodepool, { state: now }] of found) {
      asleep.add(nodepool)
      gauges.asleep.set(now === 'asleep' ? 1 : 0, { nodepool })
    }
  }

  const measure = (policy: string): void => {
    measureSleep()
    const verdicts = poolPolicies.attached.verdicts.get(policy) ?? []
    const reasons: ReadonlyMap<string, readonly TargetVerdict[]> = Map.groupBy(verdicts, ({ reason }) => reason)
    for (const reason of shown.get(policy) ?? []) {
      if (!reasons.has(reason)) gauges.targets.remove({ nodepoolpolicy: policy, reason })
    }
    for (const [reason, { length }] of reasons) gauges.targets.set(length, { nodepoolpolicy: policy, reason })
    if (reasons.size === 0) shown.delete(policy)
    else shown.set(policy, new Set(reasons.keys()))
  }

  const write = async (policy: NodePoolPolicy, signal: AbortSignal): Promise<void> => {
    const { attached } = poolPolicies
    const now = clock.now()
    const { name, resourceVersion } = policy.metadata
    const cluster = {
      poolNamed: (pool: string) => pools.get(pool),
      nodesOf: (pool: string) => [...state.poolNodes(pool)].length,
      sleep: poolPolicies.sleep(now).pools,
    }
    const targets = targetStatus(policy, attached, cluster, now)
    const conditions = withAcceptance(policy, summary(attached.verdicts.get(name) ?? []), now)
    if (conditions === policy.status?.conditions && isEqualJson(targets, policy.status?.targets ?? [])) return
    const body = { metadata: { resourceVersion }, status: { conditions, targets } }
    await client.patch(policyKinds.NodePoolPolicy, { name }, { type: 'merge', body }, { subresource: 'status', signal })
  }

  return {
    name: 'policy.nodepool',
    reconciles: policyKinds.NodePoolPolicy,
    // The CRD of policies may be missing, so the controller must not wait for it.
    sources: [readOnlySource(informers, karpenterKinds.NodePool)],
    subscribe: (enqueue) => {
      const enqueueAll = (): void => {
        for (const { metadata } of policies.values()) enqueue(metadata.name)
      }
      // If one policy changes, other policies may start or stop to apply.
      const stops = [
        policies.onChange(({ before, after }) => {
          enqueue((after ?? before)?.metadata.name ?? '')
          if (before?.metadata.generation !== after?.metadata.generation) enqueueAll()
        }),
        pools.onChange(({ before, after }) => {
          if (
            before?.metadata.generation !== after?.metadata.generation ||
            before?.metadata.labels !== after?.metadata.labels ||
            before?.metadata.annotations?.[annotations.awakeUntil] !==
              after?.metadata.annotations?.[annotations.awakeUntil]
          )
            enqueueAll()
        }),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
    concurrency: 1,
    reconcile: async (name, signal) => {
      measure(name)
      const policy = policies.get(name)
      if (policy === undefined || policy.metadata.deletionTimestamp !== undefined) return done()
      try {
        await write(policy, signal)
      } catch (error) {
        if (isConflict(error)) return retry()
        if (isNotFound(error)) return done()
        throw error
      }
      // Sleep begins and ends at certain times, without a change of any object.
      const untilChange = poolPolicies.sleep(clock.now()).nextChange - clock.now()
      return retryAfter(Math.min(EVERY, Math.max(100, untilChange)))
    },
  }
}
