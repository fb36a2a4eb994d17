import { type Milliseconds, type NodeClaim, type Pod, tryParseDuration } from '@kerf/apis'
import { drainTier } from '../../node/termination/drain-tiers.ts'
import { mustBeDeleted } from '../../node/termination/forced-deletion.ts'
import { terminationDeadline } from '../../nodeclaim/deadline.ts'
import type { PodDisruptionBudgets } from '../../pod/pod-disruption-budgets.ts'
import { isReschedulable, isWaitingEviction, podKey } from '../../pod/pod-predicates.ts'
import { type PodBlocker, podBlockers } from '../candidates/assessment.ts'

/** A pod that a drain cannot evict now. */
export interface StayingPod {
  readonly pod: Pod
  /** Why the API server would refuse the eviction. Absent if the pod only waits for the pod in `behind`. */
  readonly blocker?: PodBlocker
  /** The key (`namespace/name`) of a pod that the drain must evict before this pod. */
  readonly behind?: string
  /** When the pod is deleted by force. Absent if the node has no terminationGracePeriod. */
  readonly forcedAt?: Milliseconds
}

/** What would happen to the pods of a node if it were deleted now. */
export interface DrainForecast {
  /** Pods that cannot be evicted. The node is not deleted while it has any of them. */
  readonly staying: readonly StayingPod[]
  /** Pods that are deleted despite PodDisruptionBudgets and annotations, because the node's terminationGracePeriod leaves no more time. */
  readonly forced: readonly Pod[]
}

/** Returns the claim's termination deadline. If the claim is not deleted yet, assumes that it is deleted now. */
const deadlineFrom = (claim: NodeClaim | undefined, now: Milliseconds): Milliseconds | undefined => {
  if (claim === undefined) return undefined
  const written = terminationDeadline(claim)
  if (written !== undefined) return written
  const grace = tryParseDuration(claim.spec.terminationGracePeriod ?? '')
  return grace === undefined ? undefined : now + grace
}

const podForcedAt = (pod: Pod, deadline: Milliseconds | undefined): Milliseconds | undefined => {
  const grace = pod.spec.terminationGracePeriodSeconds
  return deadline === undefined || grace === undefined ? undefined : deadline - grace * 1_000
}

/**
 * Returns the pods of a node that a drain could not evict if it started now. Applies the rules of the drain itself: the API server may
 * refuse an eviction, and some pods must wait for others (`docs/spec/termination.md#drain-pass`). A daemon pod is listed only if the pod
 * itself blocks the node.
 *
 * @throws DeadlineError if the claim's deadline is not a valid time
 */
export const forecastDrain = (
  { claim, pods }: { readonly claim: NodeClaim | undefined; readonly pods: readonly Pod[] },
  budgets: PodDisruptionBudgets,
  now: Milliseconds,
): DrainForecast => {
  const deadline = deadlineFrom(claim, now)
  const waiting = pods.filter((pod) => isWaitingEviction(pod, now))
  // The drain checks its pods every second, so it deletes a pod that is due within the next second.
  const isForced = (pod: Pod): boolean => mustBeDeleted(pod, deadline, now + 1_000)
  const orderly = waiting.filter((pod) => !isForced(pod))
  const blockers = new Map(podBlockers(orderly, budgets, now).map((blocker) => [blocker.pod, blocker]))
  const holding = orderly.filter((pod) => blockers.has(podKey(pod))).sort((a, b) => drainTier(a) - drainTier(b))
  const [first] = holding
  const staying = orderly.flatMap((pod): readonly StayingPod[] => {
    const blocker = blockers.get(podKey(pod))
    const forcedAt = podForcedAt(pod, deadline)
    const about = { pod, ...(forcedAt === undefined ? {} : { forcedAt }) }
    if (blocker !== undefined) return [{ ...about, blocker }]
    const waits = first !== undefined && drainTier(pod) > drainTier(first) && isReschedulable(pod)
    return waits ? [{ ...about, behind: podKey(first) }] : []
  })
  return { staying, forced: waiting.filter((pod) => isForced(pod) && isReschedulable(pod)) }
}
