import { readFileSync } from 'node:fs'
import type { CallCounts, Counts } from './measure.ts'

/** Clusters of so many nodes are measured. */
export const SIZES = [0, 1_000] as const

/** Where the counts are kept. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

/** What no later count may be above, by the number of nodes. The steady time is an hour. */
export type RecordedCalls = Readonly<Record<string, CallCounts>>

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls

/** Every count of `measured` that is above its threshold. The threshold of an operation without a count is 0. */
export const aboveThreshold = (measured: Counts, barOf: (operation: string) => number): readonly string[] =>
  Object.entries(measured)
    .filter(([operation, count]) => count > barOf(operation))
    .map(([operation, count]) => `${operation}: ${count}, and not more than ${barOf(operation)} are allowed`)
