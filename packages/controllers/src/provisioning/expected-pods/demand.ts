import type { Pod } from '@kerf/apis'

/** Why Kerf expects no pods of an owner, although the owner may lack some. */
export type NoDemand =
  | 'complete'
  /** The owner has more pods than it needs, for example after a scale-down, and will delete some of them. */
  | 'surplus'
  /** No pod of the current revision exists, so nobody knows what admission does to its spec. */
  | 'no-pod-of-revision'
  | 'being-deleted'
  /** The API server refuses to list or watch owners of this kind. */
  | 'not-permitted'
  | 'suspended'
  /** Another controller creates the pods. */
  | 'managed-elsewhere'
  /** The API server refused to create pods of the owner, for example because of a quota or a webhook. */
  | 'replica-failure'
  /** Pods of the Job failed, so the Job controller waits longer before each new pod. */
  | 'failed-pods'
  /**
   * None of the Job's pods has succeeded yet, so its next pods may fail at once. Applies if kube-scheduler has bound one of the pods, or if
   * it has refused none.
   */
  | 'unproven'
  /** The next pod of a StatefulSet is not created before the earlier pods are Ready. */
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
      /** The newest pod of the current revision, after admission. Every expected pod is a copy of it. */
      readonly template: Pod
      /** How many pods are missing. */
      readonly count: number
      /** The names of the missing pods. Set if they are known in advance, as in a StatefulSet. */
      readonly names?: readonly string[]
    }

export const noDemand = (reason: NoDemand): Demand => ({ kind: 'none', reason })

/**
 * Returns the newest of the pods, or undefined if there are none. If several have the latest creationTimestamp, returns the one
 * with the greatest name.
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
