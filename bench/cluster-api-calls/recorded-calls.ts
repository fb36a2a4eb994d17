import { readFileSync } from 'node:fs'
import type { CallCounts, Counts } from './measure.ts'

/** Clusters of so many nodes are measured. */
export const SIZES = [0, 1_000] as const

/** By the number of nodes: what no later count may be above, for the first minute and for a steady hour. */
export type RecordedCalls = Readonly<Record<string, CallCounts>>

/** Where the counts are kept. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls

/** Every count of `measured` that is above its threshold. The threshold of a call without a count is 0. */
export const aboveThreshold = (measured: Counts, thresholdOf: (call: string) => number): readonly string[] =>
  Object.entries(measured)
    .filter(([call, count]) => count > thresholdOf(call))
    .map(([call, count]) => `${call}: ${count}, and not more than ${thresholdOf(call)} are allowed`)
