import { findCondition, type Milliseconds, type NodeClaim, type Pod } from '@kerf/apis'
import { hardestFirst } from './leave-order.ts'

/**
 * The number of parts in which the pods of a node are evicted, and the time between two parts. All parts fit in the minimum
 * time of a drain.
 */
const PARTS = 4
const PART_EVERY: Milliseconds = 1_000

/** Reasons that disrupt nodes with running pods. A node that a user deletes is drained at once. */
const GRADUAL: ReadonlySet<string | undefined> = new Set(['Drifted', 'Underutilized'])

interface Drain {
  readonly began: Milliseconds
  /** UIDs of the pods that have been evicted. */
  readonly asked: Set<string>
}

/** Returns whether the pods of the node are evicted in parts. */
export const isGradual = (claim: NodeClaim | undefined): boolean => {
  const condition = claim === undefined ? undefined : findCondition(claim, 'DisruptionReason')
  return condition?.status === 'True' && GRADUAL.has(condition.reason)
}

/**
 * Spreads the evictions of a disrupted node over the first seconds of its drain, which takes at least five seconds. The pods
 * that are hardest to place are evicted first. If all pods of a node were evicted in the same second, all would be down at
 * once, and kube-scheduler could give capacity that only some of them fit in to any of them. The parts depend only on time,
 * so pods that do not come back do not delay the others.
 */
export class GradualDrains {
  readonly #drains = new Map<string, Drain>()

  /** Returns the pods that should be evicted by now. Pods that were evicted before are included again. */
  due(nodeName: string, pods: readonly Pod[], now: Milliseconds): readonly Pod[] {
    const drain = this.#drains.get(nodeName) ?? { began: now, asked: new Set<string>() }
    this.#drains.set(nodeName, drain)
    const { began, asked } = drain
    const uidOf = ({ metadata }: Pod): string => metadata.uid ?? ''
    const others = hardestFirst(pods.filter((pod) => !asked.has(uidOf(pod))))
    const parts = Math.min(PARTS, 1 + Math.floor((now - began) / PART_EVERY))
    const due = Math.ceil(((asked.size + others.length) * parts) / PARTS) - asked.size
    for (const pod of others.slice(0, Math.max(0, due))) asked.add(uidOf(pod))
    return pods.filter((pod) => asked.has(uidOf(pod)))
  }

  /** Forgets a node that is drained or deleted. */
  forget(nodeName: string): void {
    this.#drains.delete(nodeName)
  }
}
