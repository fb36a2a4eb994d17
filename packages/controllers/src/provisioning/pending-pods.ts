import type { LabelVocabulary, Milliseconds, Pod } from '@kerf/apis'
import type { PodDisruptionBudgets } from '../pod/pod-disruption-budgets.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import { validatePod } from './pod-validation.ts'
import { refusalText } from './refusal-text.ts'
import type { VolumeLookup } from './volume-validation.ts'

export interface IgnoredPod {
  readonly pod: Pod
  /**
   * Why Kerf cannot provide a node for the pod, one sentence per reason. Empty if another autoscaler serves the pod, or if the pod excludes
   * Kerf's nodes. Neither of these cases is reported.
   */
  readonly problems: readonly string[]
}

const UNREADABLE = 'it cannot be read; the log of Kerf has the error'

export interface PendingPods {
  readonly pods: readonly Pod[]
  readonly ignored: readonly IgnoredPod[]
}

/**
 * Returns the pods that need a node and for which Kerf can look for one, and the pods that Kerf must ignore
 * (`docs/spec/pending-pods.md#validation-of-pending-pods`).
 */
export const pendingPods = (state: ClusterState, vocabulary: LabelVocabulary, volumes: VolumeLookup): PendingPods => {
  const { isolation } = state
  const pods: Pod[] = []
  const ignored: IgnoredPod[] = []
  const sort = (pod: Pod): void => {
    if (state.waitsForLeftOut(pod)) return
    if (state.others.serves(pod)) {
      ignored.push({ pod, problems: [] })
      return
    }
    const refused = state.refusedPods.pausedOf(pod)
    if (refused !== undefined) {
      ignored.push({ pod, problems: [refusalText(refused)] })
      return
    }
    const verdict = validatePod(pod, vocabulary, volumes)
    switch (verdict.kind) {
      case 'valid':
        pods.push(pod)
        break
      case 'avoids':
        ignored.push({ pod, problems: [] })
        break
      case 'invalid':
        ignored.push({ pod, problems: verdict.problems })
        break
    }
  }
  for (const pod of state.pods.provisionable) {
    if (isolation.isSetAside('provisioning', pod)) ignored.push({ pod, problems: [UNREADABLE] })
    else isolation.guard('Pod', 'provisioning', pod, () => sort(pod), undefined)
  }
  return { pods, ignored }
}

/** Returns the pods on nodes marked for deletion that must be rescheduled, except for pods that another autoscaler serves. */
export const podsOnDeletingNodes = (
  state: ClusterState,
  budgets: PodDisruptionBudgets,
  now: Milliseconds,
): readonly Pod[] => {
  const { isolation } = state
  const leaves = (pod: Pod): boolean => !state.others.serves(pod) && budgets.isCurrentlyReschedulable(pod, now)
  const pods: Pod[] = []
  for (const node of state.nodes()) {
    if (!isolation.guard('Node', 'provisioning', node.node ?? node, () => node.isMarkedForDeletion, false)) continue
    for (const pod of isolation.sound('provisioning', node.pods)) {
      if (isolation.guard('Pod', 'provisioning', pod, () => leaves(pod), false)) pods.push(pod)
    }
  }
  return pods
}
