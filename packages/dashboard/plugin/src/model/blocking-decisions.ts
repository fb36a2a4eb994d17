import type { DecisionRow } from './decisions.ts'
import { distinctReasons } from './distinct-reasons.ts'
import { plainMessage } from './node-decisions.ts'

/** The events that have the same reason and explain why a node is kept. */
export interface BlockingDecision {
  readonly reason: string
  readonly count: number
  /** The newest message. */
  readonly message: string
  /** The number of further reasons in the messages, in addition to the newest one. */
  readonly others: number
  readonly time: number
}

/** If Karpenter's own controller does not disrupt a node, it publishes an event with one of these reasons. */
const BLOCKING_REASONS: ReadonlySet<string> = new Set([
  'Unconsolidatable',
  'DisruptionBlocked',
  'ConsolidationRejected',
  'NodeRepairBlocked',
  'FailedDraining',
  'AwaitingVolumeDetachment',
  'FailedTermination',
])

/**
 * Returns, by reason, the decisions that explain why one node is kept, newest first. Omits messages that repeat one of `sentences`, which
 * come from the objects themselves.
 */
export const blockingDecisions = (
  rows: readonly DecisionRow[],
  sentences: readonly string[],
): readonly BlockingDecision[] => {
  const known = new Set(sentences.map(plainMessage))
  const byReason = new Map<string, DecisionRow[]>()
  for (const row of rows) {
    if (row.about !== 'node' || row.kind === 'NodePool' || !BLOCKING_REASONS.has(row.reason)) continue
    if (known.has(plainMessage(row.message))) continue
    byReason.set(row.reason, [...(byReason.get(row.reason) ?? []), row])
  }
  return Array.from(byReason, ([reason, own]): BlockingDecision => {
    const newest = own.reduce((a, b) => (b.time > a.time ? b : a))
    const count = own.reduce((sum, row) => sum + row.count, 0)
    return { reason, count, message: newest.message, others: distinctReasons(own).length - 1, time: newest.time }
  }).sort((a, b) => b.time - a.time)
}
