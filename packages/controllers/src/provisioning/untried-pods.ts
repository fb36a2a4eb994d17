import type { LabelVocabulary, Milliseconds, Pod } from '@kerf/apis'
import type { ClusterState } from '../state/cluster-state.ts'
import { schedulerOf } from '../state/scheduling-queue.ts'
import { validatePod } from './pod-validation.ts'
import type { VolumeLookup } from './volume-validation.ts'

/**
 * Returns the pods that wait in kube-scheduler's queue behind pods that it `refused`. Returns none while kube-scheduler
 * answers at once. They are planned together with the refused pods, so that one plan knows all waiting pods; otherwise the
 * new nodes would be full by the time kube-scheduler tries them. Pods that already have a place are included, so that no
 * other pod is planned into that place. Pods of owners that are planned ahead are included too.
 *
 * Karpenter waits for kube-scheduler's answer to each pod (`tests/integration/facts/quirks`).
 */
export const untriedPods = (
  state: ClusterState,
  refused: readonly Pod[],
  lookups: {
    readonly vocabulary: LabelVocabulary
    readonly volumes: VolumeLookup
    /** Returns whether the other pods of the pod's owner are planned before they exist. Absent if no owner is planned ahead. */
    readonly isPlannedAhead?: (pod: Pod) => boolean
  },
  now: Milliseconds,
): readonly Pod[] => {
  if (refused.length === 0 && lookups.isPlannedAhead === undefined) return []
  const { isolation } = state
  const schedulers = new Set(refused.map(schedulerOf))
  const lowest = state.pods.lowestPriority
  const waiting = new Set(waitingPods(state, now))
  const isPlanned = (pod: Pod): boolean =>
    (lookups.isPlannedAhead?.(pod) === true ||
      (schedulers.has(schedulerOf(pod)) &&
        ((waiting.has(pod) && !mayPreempt(pod, lowest)) || state.placements.decidedTarget(pod) !== undefined))) &&
    validatePod(pod, lookups.vocabulary, lookups.volumes).kind === 'valid'
  return isolation
    .sound('provisioning', [...ourUntried(state)])
    .filter((pod) => isolation.guard('Pod', 'provisioning', pod, () => isPlanned(pod), false))
}

/** Returns whether any pod that Kerf may plan for waits in a queue of kube-scheduler. One pod is enough. */
export const isQueueLong = (state: ClusterState, now: Milliseconds): boolean => {
  for (const _pod of waitingPods(state, now)) return true
  return false
}

/**
 * Returns whether a pass plans all pods that wait in the queue, so that it need not wait for more answers of kube-scheduler.
 */
export const isQueuePlanned = (state: ClusterState, now: Milliseconds): boolean => {
  const lowest = state.pods.lowestPriority
  for (const pod of waitingPods(state, now)) if (mayPreempt(pod, lowest)) return false
  return true
}

/** Returns the pods that Kerf may plan for and that wait in a queue of kube-scheduler. */
const waitingPods = (state: ClusterState, now: Milliseconds): Iterable<Pod> =>
  state.pods.queue.waitingIn(ourUntried(state), now)

/** Returns the pods without an answer of kube-scheduler, except pods that another autoscaler serves. */
function* ourUntried({ pods, others }: ClusterState): Iterable<Pod> {
  for (const pod of pods.untried) if (!others.serves(pod)) yield pod
}

/** Returns whether kube-scheduler may evict running pods of lower priority for this pod. */
const mayPreempt = ({ spec }: Pod, lowest: number): boolean =>
  spec.preemptionPolicy !== 'Never' && (spec.priority ?? 0) > lowest
