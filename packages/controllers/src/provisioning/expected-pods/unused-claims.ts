import {
  annotations,
  isConditionTrue,
  isScheduled,
  karpenterKinds,
  labels,
  type Milliseconds,
  type NodeClaim,
  parseTime,
} from '@kerf/apis'
import { type Controller, done, isNotFound, type Outcome, retryAfter, source } from '@kerf/runtime'
import { concurrency, type Deps } from '../../deps.ts'
import { APPEARS_WITHIN } from '../../pod/placement/expected-places.ts'
import { isOwnedByDaemonSet } from '../../pod/pod-predicates.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { expectedPodMetrics } from './expected-pod-metrics.ts'
import { usedNodes } from './used-nodes.ts'

const LOOK_AGAIN: Milliseconds = 10_000

/**
 * Deletes NodeClaims that were launched for expected pods, never had a pod, and have nothing planned for them
 * (`docs/spec/expected-pods.md#unused-nodes`). Ignores `consolidateAfter` and budgets, because without the forecast the node would
 * not exist.
 */
export const unusedClaims = (deps: Deps, state: ClusterState): Controller => {
  const { clock, client, informers, metrics, log } = deps
  const claims = informers.of(karpenterKinds.NodeClaim)
  const { removed } = expectedPodMetrics.register(metrics)
  const used = usedNodes(informers)
  // Places are unknown to a new leader, so the owners must first be planned ahead again.
  let leadsSince = clock.now()
  /** When each claim was last found to have pods planned for it, by the name of the claim. */
  const plannedAt = new Map<string, Milliseconds>()
  return {
    name: 'nodeclaim.expectedpods',
    sources: [
      source(claims, ({ before, after }) => {
        const either = after ?? before
        return either?.metadata.annotations?.[annotations.launchedFor] === undefined ? [] : [either.metadata.name]
      }),
    ],
    subscribe: () => {
      leadsSince = clock.now()
      return () => {}
    },
    concurrency: concurrency(deps.settings, 10, 1_000),
    reconcile: async (name, signal): Promise<Outcome> => {
      const claim = claims.get(name)
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined || hasHadPods(claim, state, used)) {
        plannedAt.delete(name)
        return done()
      }
      const now = clock.now()
      if (awaitsPods(name, state)) {
        plannedAt.set(name, now)
        return retryAfter(LOOK_AGAIN)
      }
      const since = Math.max(plannedAt.get(name) ?? 0, parseTime(claim.metadata.creationTimestamp) ?? 0)
      const due = Math.max(since + LOOK_AGAIN, leadsSince + APPEARS_WITHIN)
      if (now < due) return retryAfter(due - now)
      if (isProtected(claim, state)) return retryAfter(APPEARS_WITHIN)
      const preconditions = { uid: claim.metadata.uid ?? '' }
      try {
        await client.delete(karpenterKinds.NodeClaim, { name }, { preconditions, signal })
      } catch (error) {
        if (!isNotFound(error)) throw error
        return done()
      }
      removed.inc({ nodepool: claim.metadata.labels?.[labels.nodePool] ?? '' })
      log.info('deleted nodeclaim, no expected pod came', { NodeClaim: { name } })
      return done()
    },
  }
}

/** Returns whether any pod except daemon pods was ever bound to the claim's node. */
const hasHadPods = ({ metadata, status }: NodeClaim, state: ClusterState, used: ReadonlySet<string>): boolean =>
  status?.lastPodEventTime !== undefined ||
  used.has(status?.nodeName ?? '') ||
  (state.byClaimName(metadata.name)?.pods.some((pod) => isScheduled(pod) && !isOwnedByDaemonSet(pod)) ?? false)

/** Returns whether an existing or expected pod is planned or nominated for the claim's node. */
const awaitsPods = (name: string, state: ClusterState): boolean =>
  state.placements.to(name).length > 0 ||
  state.expectedPlaces.count(name) > 0 ||
  state.byClaimName(name)?.awaitedPod !== undefined

/** Returns whether the node must not be disrupted, or is already being deleted for another reason. */
const isProtected = (claim: NodeClaim, state: ClusterState): boolean => {
  const node = state.byClaimName(claim.metadata.name)
  return (
    node?.isMarkedForDeletion === true ||
    (node?.annotations ?? claim.metadata.annotations)?.[annotations.doNotDisrupt] === 'true' ||
    isConditionTrue(claim, 'DisruptionReason')
  )
}
