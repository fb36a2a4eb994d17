import {
  annotations,
  isActive,
  isOwnedBy,
  isScheduled,
  isTerminal,
  isTerminating,
  type Milliseconds,
  type Pod,
  parseTime,
  taints,
  toleratesTaint,
  tryParseDuration,
} from '@kerf/apis'

/** Pure predicates about which pods may be scheduled, moved or evicted (`docs/spec/pending-pods.md#pod-predicates`). */

/** How long after its deletionTimestamp a pod counts as stuck if it still exists. */
const STUCK_AFTER: Milliseconds = 60_000

export const podKey = (pod: Pod): string => `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`

export const isOwnedByDaemonSet = (pod: Pod): boolean => isOwnedBy(pod, 'apps/v1', 'DaemonSet')
const isOwnedByStatefulSet = (pod: Pod): boolean => isOwnedBy(pod, 'apps/v1', 'StatefulSet')
/** Returns whether this is a mirror pod, which represents a static pod of the kubelet and is owned by its Node. */
const isOwnedByNode = (pod: Pod): boolean => isOwnedBy(pod, 'v1', 'Node')

/** Returns whether kube-scheduler tried the pod and found no node. This depends only on the reason of the condition, not on its status. */
export const failedToSchedule = (pod: Pod): boolean =>
  pod.status?.conditions?.some(
    (condition) => condition.type === 'PodScheduled' && condition.reason === 'Unschedulable',
  ) ?? false

/** Returns whether Kerf may launch a node for the pod. */
export const isProvisionable = (pod: Pod): boolean =>
  failedToSchedule(pod) &&
  !isScheduled(pod) &&
  (pod.status?.nominatedNodeName ?? '') === '' &&
  !isOwnedByDaemonSet(pod) &&
  !isOwnedByNode(pod)

/**
 * Returns whether kube-scheduler has not tried the pod yet, because the pod is new or still in the queue. Returns false for pods that
 * PreEnqueue plugins may silently keep out of the queue: pods with scheduling gates, pods of a group that may be incomplete, and pods whose
 * resource claims may not exist.
 */
export const isUntried = (pod: Pod): boolean =>
  !isScheduled(pod) &&
  isActive(pod) &&
  (pod.status?.nominatedNodeName ?? '') === '' &&
  !(pod.status?.conditions?.some(({ type }) => type === 'PodScheduled') ?? false) &&
  (pod.spec.schedulingGates?.length ?? 0) === 0 &&
  pod.spec.schedulingGroup === undefined &&
  pod.spec.workloadRef === undefined &&
  !usesDevices(pod) &&
  !isOwnedByDaemonSet(pod) &&
  !isOwnedByNode(pod)

/** Returns whether the pod must be rescheduled if its node is deleted. */
export const isReschedulable = (pod: Pod): boolean =>
  (isActive(pod) || (isOwnedByStatefulSet(pod) && isTerminating(pod))) &&
  !isOwnedByDaemonSet(pod) &&
  !isOwnedByNode(pod)

/**
 * The current meaning of the annotation `karpenter.sh/do-not-disrupt` on a pod (`docs/spec/lifecycle.md#do-not-disrupt`).
 *
 * - `absent`: no annotation
 * - `invalid`: neither `true` nor a positive duration; treated as absent
 * - `forever`: protected permanently
 * - `until`: protected until `at`; undefined while the pod has not started
 * - `elapsed`: the protection has ended
 */
export type DoNotDisrupt =
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid'; readonly text: string }
  | { readonly kind: 'forever' }
  | { readonly kind: 'until'; readonly at: Milliseconds | undefined }
  | { readonly kind: 'elapsed' }

export const readDoNotDisrupt = (pod: Pod, now: Milliseconds): DoNotDisrupt => {
  const text = pod.metadata.annotations?.[annotations.doNotDisrupt]
  if (text === undefined) return { kind: 'absent' }
  if (text === 'true') return { kind: 'forever' }
  const duration = tryParseDuration(text)
  if (duration === undefined || duration <= 0) return { kind: 'invalid', text }
  const started = pod.status?.startTime
  if (started === undefined) return { kind: 'until', at: undefined }
  const since = parseTime(started)
  if (since === undefined) return { kind: 'elapsed' }
  const end = since + duration
  return now < end ? { kind: 'until', at: end } : { kind: 'elapsed' }
}

export const isProtected = (pod: Pod, now: Milliseconds): boolean => {
  const { kind } = readDoNotDisrupt(pod, now)
  return kind === 'forever' || kind === 'until'
}

export const isDisruptable = (pod: Pod, now: Milliseconds): boolean => !isActive(pod) || !isProtected(pod, now)

const toleratesDisruption = (pod: Pod): boolean => toleratesTaint(pod.spec.tolerations, taints.disrupted)

/** Returns whether the pod may be evicted through the eviction API. */
export const isEvictable = (pod: Pod, now: Milliseconds): boolean =>
  isActive(pod) && !toleratesDisruption(pod) && !isOwnedByNode(pod) && !isProtected(pod, now)

const isStuckTerminating = (pod: Pod, now: Milliseconds): boolean => {
  const since = parseTime(pod.metadata.deletionTimestamp)
  return since !== undefined && now - since > STUCK_AFTER
}

/** Returns whether a drain must evict the pod or wait for it. Also true for pods whose eviction is blocked. */
export const isDrainable = (pod: Pod, now: Milliseconds): boolean =>
  !toleratesDisruption(pod) && !isStuckTerminating(pod, now) && !isOwnedByNode(pod)

export const isWaitingEviction = (pod: Pod, now: Milliseconds): boolean => !isTerminal(pod) && isDrainable(pod, now)

/** Returns whether the pod uses devices (dynamic resource allocation). */
export const usesDevices = (pod: Pod): boolean =>
  (pod.spec.resourceClaims?.length ?? 0) > 0 ||
  [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(
    (container) => (container.resources?.claims?.length ?? 0) > 0,
  )
