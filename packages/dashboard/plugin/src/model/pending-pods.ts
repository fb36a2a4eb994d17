import { ownField } from '@kerf/apis'
import { podRequest, showAmount } from './amounts.ts'
import { findConditionRow } from './conditions.ts'
import type { DecisionRow } from './decisions.ts'
import { podWorkload } from './pod-workload.ts'
import { isDeleting, listAt, objectName, onceForEach, textAt, timeAt } from './read.ts'
import type { Refusal, ReportedRefusal } from './reported.ts'

/** A pod that is not scheduled yet. */
export interface PendingPod {
  /** The uid, because two namespaces may have pods of the same name. */
  readonly id: string
  readonly name: string
  readonly namespace: string
  /** The workload, for example `Deployment/payments`. Empty if the pod has no owner. */
  readonly workload: string
  /** Why the pod is pending: `Unschedulable`, `SchedulingGated`, or the reason that the autoscaler last reported. */
  readonly reason: string
  readonly from: string
  /** The type of the event, `Warning` or `Normal`. Empty if the reason comes from the pod's condition. */
  readonly type: string
  readonly message: string
  /** The time since which the pod is known to be unschedulable. */
  readonly since: number | undefined
  readonly cpu: string
  readonly memory: string
  /** The node for which the pod is nominated. */
  readonly nominated: string | undefined
  readonly isGated: boolean
  /** For each NodePool, the reason why it cannot run the pod, if Kerf reports it. */
  readonly refusals: readonly Refusal[]
  readonly object: unknown
}

/** Event times are in whole seconds, so an Event can seem older than its decision by up to this many milliseconds. */
const EVENT_LAG = 2_000

/** Returns whether a pod is neither finished nor being deleted. */
export const isActivePod = (pod: unknown): boolean => {
  const phase = textAt(pod, 'status', 'phase')
  return phase !== 'Succeeded' && phase !== 'Failed' && !isDeleting(pod)
}

/**
 * Returns whether a pod is unbound, unfinished and not being deleted. A bound pod needs no new node, even while it
 * pulls its image.
 */
export const isPending = (pod: unknown): boolean => {
  // Pages ask this about every pod of the cluster, and most pods are bound.
  const nodeName = ownField(ownField(pod, 'spec'), 'nodeName')
  if (typeof nodeName === 'string' && nodeName !== '') return false
  return textAt(pod, 'spec', 'nodeName') === undefined && isActivePod(pod)
}

/** The reason why a pod has no node yet, according to the pod itself. */
export type PendingState = 'unknown' | 'none' | 'gated' | 'daemon' | 'nominated' | 'untried' | 'unschedulable'

/**
 * Returns the state of a pod. `unknown`: there is no pod. `none`: it is not pending. `daemon`: it belongs to a DaemonSet, for which no node
 * is launched. `untried`: its scheduler has not reported it as unschedulable. Only `unschedulable` pods get nodes.
 */
export const pendingState = (pod: unknown): PendingState => {
  if (pod === undefined) return 'unknown'
  if (!isPending(pod)) return 'none'
  if (listAt(pod, 'spec', 'schedulingGates').length > 0) return 'gated'
  if (listAt(pod, 'metadata', 'ownerReferences').some((owner) => textAt(owner, 'kind') === 'DaemonSet')) return 'daemon'
  if (textAt(pod, 'status', 'nominatedNodeName') !== undefined) return 'nominated'
  return findConditionRow(pod, 'PodScheduled')?.reason === 'Unschedulable' ? 'unschedulable' : 'untried'
}

/** Returns the name of the scheduler that is responsible for the pod. */
export const schedulerName = (pod: unknown): string => textAt(pod, 'spec', 'schedulerName') ?? 'default-scheduler'

type Report = Pick<DecisionRow, 'type' | 'reason' | 'from' | 'message'>

/**
 * Returns the newer of the two reports. The Event is preferred, because it also contains a remedy, unless Kerf's report
 * is about a later decision.
 */
const newest = (events: DecisionRow | undefined, reported: ReportedRefusal | undefined): Report | undefined =>
  reported === undefined || (events !== undefined && events.time >= reported.at - EVENT_LAG)
    ? events
    : { type: 'Warning', reason: 'FailedScheduling', from: 'karpenter', message: reported.message }

const shownRequests = onceForEach((pod) => ({
  cpu: showAmount('cpu', podRequest(pod, 'cpu')),
  memory: showAmount('memory', podRequest(pod, 'memory')),
}))

/**
 * Returns the pending pods, longest pending first. The autoscaler's reason is preferred to kube-scheduler's message,
 * which ignores nodes that could be launched. Events expire after an hour, so Kerf's report by uid (`reported`)
 * replaces a missing or older Event. If the controller is not Kerf, the pod's own condition is shown instead, and the
 * reasons of NodePools come from the engine in the browser (`computed`).
 */
export const pendingPods = (
  pods: readonly unknown[],
  events: ReadonlyMap<string, DecisionRow>,
  reported: ReadonlyMap<string, ReportedRefusal> = new Map(),
  computed: ReadonlyMap<string, readonly Refusal[]> = new Map(),
): readonly PendingPod[] => {
  const rows = pods.filter(isPending).map((pod): PendingPod => {
    const name = objectName(pod)
    const namespace = textAt(pod, 'metadata', 'namespace') ?? ''
    const scheduled = findConditionRow(pod, 'PodScheduled')
    const id = textAt(pod, 'metadata', 'uid') ?? `${namespace}/${name}`
    const report = newest(events.get(`${namespace}/${name}`), reported.get(id))
    const isGated = listAt(pod, 'spec', 'schedulingGates').length > 0
    return {
      id,
      name,
      namespace,
      workload: listAt(pod, 'metadata', 'ownerReferences').length === 0 ? '' : podWorkload(pod),
      reason: report?.reason ?? scheduled?.reason ?? '',
      from: report?.from ?? schedulerName(pod),
      type: report?.type ?? '',
      message: report?.message ?? scheduled?.message ?? '',
      since:
        (scheduled?.status === 'False' ? scheduled.since : undefined) ?? timeAt(pod, 'metadata', 'creationTimestamp'),
      ...shownRequests(pod),
      nominated: textAt(pod, 'status', 'nominatedNodeName'),
      isGated,
      refusals: reported.get(id)?.refusals ?? computed.get(id) ?? [],
      object: pod,
    }
  })
  return rows.sort((a, b) => (a.since ?? 0) - (b.since ?? 0) || (a.id < b.id ? -1 : 1))
}
