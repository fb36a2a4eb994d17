import { findCondition, type Milliseconds, type NodeClaim, type Pod } from '@kerf/apis'
import { hardestFirst } from './leave-order.ts'

/** In how many parts the pods of a node leave, and how far apart: all have been asked before the least time of a drain is over. */
const PARTS = 4
const PART_EVERY: Milliseconds = 1_000

/** What disrupts a node with pods. Who deletes a node by hand wants it gone. */
const GRADUAL: ReadonlySet<string | undefined> = new Set(['Drifted', 'Underutilized'])

interface Drain {
  readonly began: Milliseconds
  /** Uids of the pods that were asked to leave. */
  readonly asked: Set<string>
}

/** Whether the node gives up its pods part by part. */
export const isGradual = (claim: NodeClaim | undefined): boolean => {
  const condition = claim === undefined ? undefined : findCondition(claim, 'DisruptionReason')
  return condition?.status === 'True' && GRADUAL.has(condition.reason)
}

/**
 * Spreads the evictions of a disrupted node over the first seconds of its drain, which takes five at least, those first that
 * are hardest to place: a whole node's pods in one second are as many pods not running at once, and kube-scheduler would give
 * the room that only some of them fit in to any. Goes by time alone, so pods that do not come back hold up no others.
 */
export class GradualDrains {
  readonly #drains = new Map<string, Drain>()

  /** Of the pods that are to leave the node those that are asked to by now; a pod that was asked is asked again. */
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

  /** The node is drained, or gone. */
  forget(nodeName: string): void {
    this.#drains.delete(nodeName)
  }
}
