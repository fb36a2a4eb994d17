import { podRequest, showAmount } from './amounts.ts'
import { conditionOf } from './conditions.ts'
import type { DecisionRow } from './decisions.ts'
import { isDeleting, listAt, nameOf, textAt, timeAt } from './read.ts'
import type { ToldRefusal } from './told.ts'

/** A pod that waits for a place. */
export interface PendingPod {
  /** The uid: two namespaces may have pods of the same name. */
  readonly id: string
  readonly name: string
  readonly namespace: string
  readonly workload: string
  /** Why it waits: `Unschedulable`, `SchedulingGated`, or what the autoscaler last said of it. */
  readonly reason: string
  readonly from: string
  readonly message: string
  /** Since when it is known to have no place. */
  readonly since: number | undefined
  readonly cpu: string
  readonly memory: string
  /** Where it will go, once that is there. */
  readonly nominated: string | undefined
  readonly isGated: boolean
  readonly object: unknown
}

/** Events have whole seconds, and are written a moment after the decision. */
const EVENT_LAG = 2_000

/** Not bound, not over, not leaving. A pod that is bound and pulls its image does not wait for a node. */
export const isWaiting = (pod: unknown): boolean => {
  const phase = textAt(pod, 'status', 'phase')
  return (
    textAt(pod, 'spec', 'nodeName') === undefined && phase !== 'Succeeded' && phase !== 'Failed' && !isDeleting(pod)
  )
}

type Word = Pick<DecisionRow, 'reason' | 'from' | 'message'>

/** An event has what would help besides, so it goes first unless something else was decided after it. */
const newest = (said: DecisionRow | undefined, told: ToldRefusal | undefined): Word | undefined =>
  told === undefined || (said !== undefined && said.time >= told.at - EVENT_LAG)
    ? said
    : { reason: 'FailedScheduling', from: 'karpenter', message: told.message }

const workloadOf = (pod: unknown): string => {
  const [owner] = listAt(pod, 'metadata', 'ownerReferences')
  return owner === undefined ? '' : `${textAt(owner, 'kind') ?? ''}/${textAt(owner, 'name') ?? ''}`
}

/**
 * The waiting pods, the longest waiting first. What the autoscaler said goes before the scheduler's own words: those
 * count nodes that exist, and say nothing about nodes that could be launched. Events last an hour, so what Kerf tells by
 * uid (`told`) stands in for one that is gone or older; of other controllers the pod's condition is left.
 */
export const pendingPods = (
  pods: readonly unknown[],
  said: ReadonlyMap<string, DecisionRow>,
  told: ReadonlyMap<string, ToldRefusal> = new Map(),
): readonly PendingPod[] => {
  const rows = pods.filter(isWaiting).map((pod): PendingPod => {
    const name = nameOf(pod)
    const namespace = textAt(pod, 'metadata', 'namespace') ?? ''
    const scheduled = conditionOf(pod, 'PodScheduled')
    const id = textAt(pod, 'metadata', 'uid') ?? `${namespace}/${name}`
    const word = newest(said.get(`${namespace}/${name}`), told.get(id))
    const isGated = listAt(pod, 'spec', 'schedulingGates').length > 0
    return {
      id,
      name,
      namespace,
      workload: workloadOf(pod),
      reason: word?.reason ?? scheduled?.reason ?? '',
      from: word?.from ?? textAt(pod, 'spec', 'schedulerName') ?? 'default-scheduler',
      message: word?.message ?? scheduled?.message ?? '',
      since:
        (scheduled?.status === 'False' ? scheduled.since : undefined) ?? timeAt(pod, 'metadata', 'creationTimestamp'),
      cpu: showAmount('cpu', podRequest(pod, 'cpu')),
      memory: showAmount('memory', podRequest(pod, 'memory')),
      nominated: textAt(pod, 'status', 'nominatedNodeName'),
      isGated,
      object: pod,
    }
  })
  return rows.sort((a, b) => (a.since ?? 0) - (b.since ?? 0) || (a.id < b.id ? -1 : 1))
}
