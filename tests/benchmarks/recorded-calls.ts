import { readFileSync } from 'node:fs'
import type { PeriodCounts } from './call-counts.ts'

/** The cluster sizes of the recorded counts, in nodes. */
export const SIZES = [0, 1_000] as const

/** The number of requests to a cloud, by name. */
export interface CallCounts extends PeriodCounts {
  /** The number of requests since the start that change something. An idle cluster needs none. */
  readonly writes: number
}

/** The recorded counts by number of nodes. Later counts must not exceed them. The steady period lasts an hour. */
export type RecordedCalls = Readonly<Record<string, CallCounts>>

/** Reads recorded counts from a file. */
export const recordedCalls = (file: URL): RecordedCalls => JSON.parse(readFileSync(file, 'utf8')) as RecordedCalls
