import type { Pod } from '@kerf/apis'

/** Why Kerf expects no pods of an owner. The owner may nevertheless lack some. */
export type NoDemand =
  | 'complete'
  /** The owner has more pods than it needs, for example after a scale-down, and will delete the surplus. */
  | 'surplus'
  /** No pod of the current revision exists, so the effect of admission on the pod spec is unknown. */
  | 'no-pod-of-revision'
  | 'being-deleted'
  /** The API server does not allow Kerf to list or watch owners of this kind. */
  | 'not-permitted'
  | 'suspended'
  /** Another controller creates the pods. */
  | 'managed-elsewhere'
  /** The API server refused to create pods of the owner, for example because of a quota or a webhook. */
  | 'replica-failure'
  /** Pods of the Job have failed, so the Job controller waits longer and longer before it creates new pods. */
  | 'failed-pods'
  /**
   * None of the Job's pods has succeeded yet, so new pods may fail at once. Applies if kube-scheduler has bound one of the pods, or has not
   * refused any of them.
   */
  | 'unproven'
  /** The StatefulSet creates the next pod only when the earlier pods are Ready. */
  | 'waits-for-ordinal'
  | 'scheduling-gates'
  | 'other-scheduler'
  /** Another autoscaler serves the pods (`docs/spec/coexistence.md#scopes-in-the-controller`). */
  | 'other-autoscaler'
  /** The pods use dynamic resource allocation. Their ResourceClaims do not exist yet. */
  | 'devices'

/** The pods that an owner has not created yet (`docs/spec/expected-pods.md#which-pods-are-expected`). */
export type Demand =
  | { readonly kind: 'none'; readonly reason: NoDemand }
  | {
      readonly kind: 'missing'
      /** The newest pod of the current revision, with the spec after admission. Every expected pod is a copy of this pod. */
      readonly template: Pod
      /** The number of missing pods. */
      readonly count: number
      /** The names of the missing pods. Set only if they are known in advance, as for a StatefulSet. */
      readonly names?: readonly string[]
    }

export const noDemand = (reason: NoDemand): Demand => ({ kind: 'none', reason })

/**
 * Returns the pod with the latest creationTimestamp, or undefined if there are no pods. Among several such pods, returns the one with the
 * greatest name.
 */
export const newestPod = (pods: readonly Pod[]): Pod | undefined => {
  let newest: Pod | undefined
  for (const pod of pods) if (newest === undefined || isNewer(pod, newest)) newest = pod
  return newest
}

const isNewer = ({ metadata: a }: Pod, { metadata: b }: Pod): boolean => {
  const [since = '', than = ''] = [a.creationTimestamp, b.creationTimestamp]
  return since === than ? a.name > b.name : since > than
}
