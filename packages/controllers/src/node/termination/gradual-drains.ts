import { findCondition, type Milliseconds, type NodeClaim, type Pod } from '@kerf/apis'
import { hardestFirst } from './leave-order.ts'

/** The number of groups in which a node's pods are evicted. The last group starts before the minimum duration of a drain ends. */
const PARTS = 4
/** The time between the evictions of consecutive groups. */
const PART_EVERY: Milliseconds = 1_000

/** The disruption reasons of nodes whose pods are evicted in groups. If a user deletes a node, all its pods are evicted at once. */
const GRADUAL: ReadonlySet<string | undefined> = new Set(['Drifted', 'Underutilized'])

interface Drain {
  readonly began: Milliseconds
  /** UIDs of the pods whose eviction was requested. */
  readonly asked: Set<string>
}

/** Returns whether the node's pods are evicted in groups. */
export const isGradual = (claim: NodeClaim | undefined): boolean => {
  const condition = claim === undefined ? undefined : findCondition(claim, 'DisruptionReason')
  return condition?.status === 'True' && GRADUAL.has(condition.reason)
}

/**
 * Spreads the evictions of a disrupted node's pods over the first seconds of its drain, which takes at least five seconds in any case. The
 * pods that are hardest to place are evicted first. If all pods were evicted in the same second, they would all be down at the same time.
 * In addition, kube-scheduler could place a pod that fits on many nodes first, and use up the capacity of the only node where another pod
 * fits. When a group is evicted depends only on time, so a pod that does not start again does not delay other pods.
 */
export class GradualDrains {
  readonly #drains = new Map<string, Drain>()

  /** Returns all pods that should have been evicted by `now`, including pods that earlier calls returned. */
  due(nodeName: string, pods: readonly Pod[], now: Milliseconds): readonly Pod[] {
    const drain = this.#drains.get(nodeName) ?? { began: now, asked: new Set<string>() }
    this.#drains.set(nodeName, drain)
    const { began, asked } = drain
    const podUid = ({ metadata }: Pod): string => metadata.uid ?? ''
    const others = hardestFirst(pods.filter((pod) => !asked.has(podUid(pod))))
    const parts = Math.min(PARTS, 1 + Math.floor((now - began) / PART_EVERY))
    const due = Math.ceil(((asked.size + others.length) * parts) / PARTS) - asked.size
    for (const pod of others.slice(0, Math.max(0, due))) asked.add(podUid(pod))
    return pods.filter((pod) => asked.has(podUid(pod)))
  }

  /** Removes the state of a node that is drained or deleted. */
  forget(nodeName: string): void {
    this.#drains.delete(nodeName)
  }
}
