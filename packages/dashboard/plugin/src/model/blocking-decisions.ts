import type { DecisionRow } from './decisions.ts'
import { distinctReasons } from './distinct-reasons.ts'
import { plainMessage } from './node-decisions.ts'

/** Why a node is kept according to events with the same reason. */
export interface BlockingDecision {
  readonly reason: string
  readonly count: number
  /** The newest message. */
  readonly message: string
  /** The number of reasons in the messages other than the newest one. */
  readonly others: number
  readonly time: number
}

/** If upstream's controller keeps a node, it publishes an event with one of these reasons. */
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
 * Returns what the decisions about one node say about why it is kept, by reason, the newest first. Omits messages that repeat one of the
 * known sentences, which come from the objects themselves.
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
