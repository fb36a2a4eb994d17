import type { DecisionRow } from './decisions.ts'
import { plainMessage } from './node-decisions.ts'

/** A reason that one or several messages state, with the newest of these messages. */
export interface DistinctReason {
  readonly message: string
  /** The number of objects with this reason. */
  readonly subjects: number
  readonly time: number
}

/** Matches amounts. */
const AMOUNTS = /\d+(?:\.\d+)?/g
/** Matches words. */
const WORD = /[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?/g
/** Matches the pod in parentheses at the end of a blocker's sentence. */
const POD = /\(pod=[^)]*\)/g

/** Returns the message without the parts that differ between objects with the same reason: names, and amounts. */
const reasonKey = ({ name, mentions, message }: DecisionRow): string => {
  const names = new Set([name, ...mentions].map((each) => each.toLowerCase()))
  return plainMessage(message)
    .replace(POD, '')
    .replace(WORD, (word) => (names.has(word) ? '' : word))
    .replace(AMOUNTS, '#')
}

/** Returns the distinct reasons in the messages, the most frequent first. Among equally frequent reasons, the newest is first. */
export const distinctReasons = (rows: readonly DecisionRow[]): readonly DistinctReason[] => {
  const found = new Map<string, DecisionRow[]>()
  for (const row of rows) {
    const key = reasonKey(row)
    const list = found.get(key)
    if (list === undefined) found.set(key, [row])
    else list.push(row)
  }
  return Array.from(found.values(), (list): DistinctReason => {
    const newest = list.reduce((a, b) => (b.time > a.time ? b : a))
    return { message: newest.message, subjects: new Set(list.map(({ subject }) => subject)).size, time: newest.time }
  }).sort((a, b) => b.subjects - a.subjects || b.time - a.time)
}
