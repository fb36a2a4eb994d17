import {
  annotations,
  isActive,
  isOwnedBy,
  isScheduled,
  isTerminal,
  isTerminating,
  type Milliseconds,
  type Pod,
  taints,
  timeOf,
  toleratesTaint,
  tryParseDuration,
} from '@kerf/apis'

/**
 * Questions about pods that decide what may be scheduled, moved or evicted
 * (`docs/spec/pending-pods.md#pod-predicates`). All pure.
 */

/** A pod this long past its deletionTimestamp will not leave by itself. */
const STUCK_AFTER: Milliseconds = 60_000

export const podKey = (pod: Pod): string => `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`

export const isOwnedByDaemonSet = (pod: Pod): boolean => isOwnedBy(pod, 'apps/v1', 'DaemonSet')
const isOwnedByStatefulSet = (pod: Pod): boolean => isOwnedBy(pod, 'apps/v1', 'StatefulSet')
/** A mirror pod: the kubelet's static pods are owned by their Node. */
const isOwnedByNode = (pod: Pod): boolean => isOwnedBy(pod, 'v1', 'Node')

/** kube-scheduler looked at it and found no node. Only the reason counts, not the condition's status. */
const failedToSchedule = (pod: Pod): boolean =>
  pod.status?.conditions?.some(
    (condition) => condition.type === 'PodScheduled' && condition.reason === 'Unschedulable',
  ) ?? false

/** Kerf may launch a node for it. */
export const isProvisionable = (pod: Pod): boolean =>
  failedToSchedule(pod) &&
  !isScheduled(pod) &&
  (pod.status?.nominatedNodeName ?? '') === '' &&
  !isOwnedByDaemonSet(pod) &&
  !isOwnedByNode(pod)

/**
 * kube-scheduler has not answered for it yet: the pod is new, or its turn in the queue has not come. Leaves out what
 * kube-scheduler may keep out of its queue without a word (its PreEnqueue plugins): pods with scheduling gates, of a group that
 * may not be complete, and with resource claims that may not exist.
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

/** It has to be scheduled elsewhere when its node is deleted. */
export const isReschedulable = (pod: Pod): boolean =>
  (isActive(pod) || (isOwnedByStatefulSet(pod) && isTerminating(pod))) &&
  !isOwnedByDaemonSet(pod) &&
  !isOwnedByNode(pod)

/**
 * What `karpenter.sh/do-not-disrupt` on a pod means now (`docs/spec/lifecycle.md#do-not-disrupt`).
 *
 * - `absent`: no annotation
 * - `invalid`: neither `true` nor a positive duration; counts as absent
 * - `forever`, or `until` an instant (unknown while the pod has not started): protected
 * - `elapsed`: was protected, is no longer
 */
export type DoNotDisrupt =
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid'; readonly text: string }
  | { readonly kind: 'forever' }
  | { readonly kind: 'until'; readonly at: Milliseconds | undefined }
  | { readonly kind: 'elapsed' }

export const doNotDisruptOf = (pod: Pod, now: Milliseconds): DoNotDisrupt => {
  const text = pod.metadata.annotations?.[annotations.doNotDisrupt]
  if (text === undefined) return { kind: 'absent' }
  if (text === 'true') return { kind: 'forever' }
  const duration = tryParseDuration(text)
  if (duration === undefined || duration <= 0) return { kind: 'invalid', text }
  const started = pod.status?.startTime
  if (started === undefined) return { kind: 'until', at: undefined }
  const since = timeOf(started)
  if (since === undefined) return { kind: 'elapsed' }
  const end = since + duration
  return now < end ? { kind: 'until', at: end } : { kind: 'elapsed' }
}

export const isProtected = (pod: Pod, now: Milliseconds): boolean => {
  const { kind } = doNotDisruptOf(pod, now)
  return kind === 'forever' || kind === 'until'
}

export const isDisruptable = (pod: Pod, now: Milliseconds): boolean => !isActive(pod) || !isProtected(pod, now)

const toleratesDisruption = (pod: Pod): boolean => toleratesTaint(pod.spec.tolerations, taints.disrupted)

/** May be asked to leave through the eviction API. */
export const isEvictable = (pod: Pod, now: Milliseconds): boolean =>
  isActive(pod) && !toleratesDisruption(pod) && !isOwnedByNode(pod) && !isProtected(pod, now)

const isStuckTerminating = (pod: Pod, now: Milliseconds): boolean => {
  const since = timeOf(pod.metadata.deletionTimestamp)
  return since !== undefined && now - since > STUCK_AFTER
}

/** A drain has to wait for it or move it; protected pods are drainable too. */
export const isDrainable = (pod: Pod, now: Milliseconds): boolean =>
  !toleratesDisruption(pod) && !isStuckTerminating(pod, now) && !isOwnedByNode(pod)

export const isWaitingEviction = (pod: Pod, now: Milliseconds): boolean => !isTerminal(pod) && isDrainable(pod, now)

/** Uses devices by dynamic resource allocation. */
export const usesDevices = (pod: Pod): boolean =>
  (pod.spec.resourceClaims?.length ?? 0) > 0 ||
  [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(
    (container) => (container.resources?.claims?.length ?? 0) > 0,
  )
