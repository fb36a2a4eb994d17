import { readFileSync } from 'node:fs'
import type { CallCounts } from './measure.ts'

/** The measured cluster sizes in nodes. */
export const SIZES = [0, 1_000] as const

/** The recorded counts of the first minute and of a steady hour, by number of nodes. New measurements must not exceed them. */
export type RecordedCalls = Readonly<Record<string, CallCounts>>

/** The file that contains the recorded counts. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls
