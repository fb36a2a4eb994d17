import { readFileSync } from 'node:fs'
import type { CallCounts } from './measure.ts'

/** The measured cluster sizes in nodes. */
export const SIZES = [0, 1_000] as const

/** The file of the counts. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

/** The recorded counts by number of nodes. Later counts must not exceed them. The steady period lasts an hour. */
export type RecordedCalls = Readonly<Record<string, CallCounts>>

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls
