import type { Pod } from '@kerf/apis'

/** Why no pod of an owner is expected, although the owner may lack some. */
export type NoDemand =
  | 'complete'
  /** No pod of the current revision exists, so the spec after admission is unknown. */
  | 'no-pod-of-revision'
  | 'being-deleted'
  | 'suspended'
  /** Another controller creates the pods. */
  | 'managed-elsewhere'
  /** The API server refused pods of the owner, for example by quota or by a webhook. */
  | 'replica-failure'
  /** Pods of the Job failed, so the Job controller waits longer before each new pod. */
  | 'failed-pods'
  /** The next pod of a StatefulSet waits until the earlier pods are Ready. */
  | 'waits-for-ordinal'
  | 'scheduling-gates'
  | 'other-scheduler'
  /** The pods use dynamic resource allocation. Their ResourceClaims do not exist yet. */
  | 'devices'

/** The pods that an owner still has to create (`docs/spec/expected-pods.md#which-pods-are-expected`). */
export type Demand =
  | { readonly kind: 'none'; readonly reason: NoDemand }
  | {
      readonly kind: 'missing'
      /** The newest pod of the current revision, after admission. Every expected pod is a copy of it. */
      readonly template: Pod
      /** How many pods are missing. */
      readonly count: number
      /** The names of the missing pods if they are known beforehand, as for a StatefulSet. */
      readonly names?: readonly string[]
    }

export const noDemand = (reason: NoDemand): Demand => ({ kind: 'none', reason })

/** Returns the newest of the pods: the latest creationTimestamp, and the greatest name among equals. Undefined if there are none. */
export const newestPod = (pods: readonly Pod[]): Pod | undefined => {
  let newest: Pod | undefined
  for (const pod of pods) if (newest === undefined || isNewer(pod, newest)) newest = pod
  return newest
}

const isNewer = ({ metadata: a }: Pod, { metadata: b }: Pod): boolean => {
  const [since = '', than = ''] = [a.creationTimestamp, b.creationTimestamp]
  return since === than ? a.name > b.name : since > than
}
