import { podRequest, showAmount } from './amounts.ts'
import { conditionOf } from './conditions.ts'
import type { DecisionRow } from './decisions.ts'
import { isDeleting, listAt, nameOf, textAt, timeAt } from './read.ts'

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

/** Not bound, not over, not leaving. A pod that is bound and pulls its image does not wait for a node. */
export const isWaiting = (pod: unknown): boolean => {
  const phase = textAt(pod, 'status', 'phase')
  return (
    textAt(pod, 'spec', 'nodeName') === undefined && phase !== 'Succeeded' && phase !== 'Failed' && !isDeleting(pod)
  )
}

const workloadOf = (pod: unknown): string => {
  const [owner] = listAt(pod, 'metadata', 'ownerReferences')
  return owner === undefined ? '' : `${textAt(owner, 'kind') ?? ''}/${textAt(owner, 'name') ?? ''}`
}

/**
 * The waiting pods, the longest waiting first. What the autoscaler said goes before the scheduler's own words: those
 * count nodes that exist, and say nothing about nodes that could be launched. Pods that have no event any more (they last
 * an hour) keep their condition.
 */
export const pendingPods = (
  pods: readonly unknown[],
  said: ReadonlyMap<string, DecisionRow>,
): readonly PendingPod[] => {
  const rows = pods.filter(isWaiting).map((pod): PendingPod => {
    const name = nameOf(pod)
    const namespace = textAt(pod, 'metadata', 'namespace') ?? ''
    const scheduled = conditionOf(pod, 'PodScheduled')
    const word = said.get(`${namespace}/${name}`)
    const isGated = listAt(pod, 'spec', 'schedulingGates').length > 0
    return {
      id: textAt(pod, 'metadata', 'uid') ?? `${namespace}/${name}`,
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
