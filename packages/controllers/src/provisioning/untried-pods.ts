import type { LabelVocabulary, Milliseconds, Pod } from '@kerf/apis'
import type { ClusterState } from '../state/cluster-state.ts'
import { podScheduler } from '../state/scheduling-queue.ts'
import { validatePod } from './pod-validation.ts'
import type { VolumeLookup } from './volume-validation.ts'

/**
 * Returns the pods in kube-scheduler's queue that come after the pods that it has refused (`refused`). Returns none if kube-scheduler tries
 * each pod at once. These pods are planned together with the refused pods, so that one plan includes all pending pods. Otherwise, the new
 * nodes would already be full when kube-scheduler tries these pods. The result also includes pods that already have a place, so that no
 * other pod is planned there, and pods of owners whose expected pods Kerf plans. Karpenter waits until kube-scheduler has refused each pod
 * (`tests/integration/facts/quirks`).
 */
export const untriedPods = (
  state: ClusterState,
  refused: readonly Pod[],
  lookups: {
    readonly vocabulary: LabelVocabulary
    readonly volumes: VolumeLookup
    /** Returns whether Kerf plans expected pods of the pod's owner. Absent if Kerf does not plan expected pods. */
    readonly isPlannedAhead?: (pod: Pod) => boolean
  },
  now: Milliseconds,
): readonly Pod[] => {
  if (refused.length === 0 && lookups.isPlannedAhead === undefined) return []
  const { isolation } = state
  const schedulers = new Set(refused.map(podScheduler))
  const lowest = state.pods.lowestPriority
  const waiting = new Set(waitingPods(state, now))
  const isPlanned = (pod: Pod): boolean =>
    (lookups.isPlannedAhead?.(pod) === true ||
      (schedulers.has(podScheduler(pod)) &&
        ((waiting.has(pod) && !mayPreempt(pod, lowest)) || state.placements.decidedTarget(pod) !== undefined))) &&
    validatePod(pod, lookups.vocabulary, lookups.volumes).kind === 'valid'
  return isolation
    .sound('provisioning', [...ourUntried(state)])
    .filter((pod) => isolation.guard('Pod', 'provisioning', pod, () => isPlanned(pod), false))
}

/** Returns whether kube-scheduler's queue contains any pod that Kerf may plan. */
export const isQueueLong = (state: ClusterState, now: Milliseconds): boolean => {
  for (const _pod of waitingPods(state, now)) return true
  return false
}

/** Returns whether a pass would plan all pods in the queue. In this case, it need not wait for more refusals. */
export const isQueuePlanned = (state: ClusterState, now: Milliseconds): boolean => {
  const lowest = state.pods.lowestPriority
  for (const pod of waitingPods(state, now)) if (mayPreempt(pod, lowest)) return false
  return true
}

/** Returns the pods in kube-scheduler's queue that Kerf may plan. */
const waitingPods = (state: ClusterState, now: Milliseconds): Iterable<Pod> =>
  state.pods.queue.waitingIn(ourUntried(state), now)

/** Returns the pods that kube-scheduler has not tried, except for those that another autoscaler serves. */
function* ourUntried({ pods, others }: ClusterState): Iterable<Pod> {
  for (const pod of pods.untried) if (!others.serves(pod)) yield pod
}

/** Returns whether kube-scheduler may preempt running pods of lower priority for this pod. */
const mayPreempt = ({ spec }: Pod, lowest: number): boolean =>
  spec.preemptionPolicy !== 'Never' && (spec.priority ?? 0) > lowest
