import type { LabelVocabulary, Milliseconds, Pod } from '@kerf/apis'
import type { ClusterState } from '../state/cluster-state.ts'
import { schedulerOf } from '../state/scheduling-queue.ts'
import { validatePod } from './pod-validation.ts'
import type { VolumeLookup } from './volume-validation.ts'

/**
 * Pods that stand in kube-scheduler's queue behind those that it refused, which are `refused`; none while it answers at once.
 * They are planned with the refused ones, so that one plan knows all that waits: by the time their turn comes, the nodes
 * would be full of a plan without them. Those that a pass has given a place stay among them, or others would be planned into it.
 *
 * Karpenter waits for kube-scheduler's answer to each pod (`docs/conformance.md`).
 */
export const untriedPods = (
  state: ClusterState,
  refused: readonly Pod[],
  lookups: { readonly vocabulary: LabelVocabulary; readonly volumes: VolumeLookup },
  now: Milliseconds,
): readonly Pod[] => {
  if (refused.length === 0) return []
  const { isolation } = state
  const schedulers = new Set(refused.map(schedulerOf))
  const lowest = state.pods.lowestPriority
  const waiting = new Set(waitingPods(state, now))
  const isPlanned = (pod: Pod): boolean =>
    schedulers.has(schedulerOf(pod)) &&
    ((waiting.has(pod) && !mayPreempt(pod, lowest)) || state.placements.decidedTarget(pod) !== undefined) &&
    validatePod(pod, lookups.vocabulary, lookups.volumes).kind === 'valid'
  return isolation
    .sound('provisioning', [...ourUntried(state)])
    .filter((pod) => isolation.guard('Pod', 'provisioning', pod, () => isPlanned(pod), false))
}

/** Whether pods that Kerf may plan for wait for their turn in a queue of kube-scheduler. One that does is answer enough. */
export const isQueueLong = (state: ClusterState, now: Milliseconds): boolean => {
  for (const _pod of waitingPods(state, now)) return true
  return false
}

/** Whether a pass plans for all pods that wait in such a queue, so that it need not wait for kube-scheduler's answer to any. */
export const isQueuePlanned = (state: ClusterState, now: Milliseconds): boolean => {
  const lowest = state.pods.lowestPriority
  for (const pod of waitingPods(state, now)) if (mayPreempt(pod, lowest)) return false
  return true
}

/** Pods that Kerf may plan for and that wait for their turn in a queue of kube-scheduler. */
const waitingPods = (state: ClusterState, now: Milliseconds): Iterable<Pod> =>
  state.pods.queue.waitingIn(ourUntried(state), now)

/** Pods without an answer of kube-scheduler, but for those that another autoscaler serves. */
function* ourUntried({ pods, others }: ClusterState): Iterable<Pod> {
  for (const pod of pods.untried) if (!others.serves(pod)) yield pod
}

/** kube-scheduler would make room for it where pods of lower priority run. */
const mayPreempt = ({ spec }: Pod, lowest: number): boolean =>
  spec.preemptionPolicy !== 'Never' && (spec.priority ?? 0) > lowest
