import { readFileSync } from 'node:fs'
import type { CallCounts } from './measure.ts'

/** Clusters of so many nodes are measured. */
export const SIZES = [0, 1_000] as const

/** By the number of nodes: what no later count may be above, for the first minute and for a steady hour. */
export type RecordedCalls = Readonly<Record<string, CallCounts>>

/** Where the counts are kept. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls
