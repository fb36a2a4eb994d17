import { readFileSync } from 'node:fs'
import type { CallCounts, NodeKind } from './measure.ts'

/** Clusters of so many nodes are measured. */
export const SIZES = [0, 1_000] as const

/** Where the counts are kept. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

/** What no later count may be above, by what nodes are and how many. The steady time is an hour. */
export type RecordedCalls = Readonly<Partial<Record<NodeKind, Readonly<Record<string, CallCounts>>>>>

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls
