import { readFileSync } from 'node:fs'
import type { Counts } from '../../../tests/benchmarks/call-counts.ts'

/** The measured cluster sizes in nodes. */
export const SIZES = [0, 1_000, 5_000] as const

/** The counts for one cluster size. */
export interface RecordedSize {
  readonly firstMinute: Counts
  /** An hour that starts ten minutes after the start of the controller. */
  readonly steadyHour: Counts
}

/** The counts by the number of nodes. */
export type RecordedSizes = Readonly<Record<string, RecordedSize>>

export interface RecordedCalls {
  /** The maximum for later counts of Kerf. */
  readonly kerf: RecordedSizes
  /** Upstream's provider v1.14.1, counted by hand (`providers/aws/docs/aws-calls.md` explains how). */
  readonly upstream: RecordedSizes
}

/** The first minute of the steady hour, counted from the start of the controller. */
export const STEADY_FROM = 10

/** The file of the counts. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls

/** Returns the counted DescribeInstances calls of upstream in each minute from its start, by the number of nodes. */
export const upstreamMinutes = (): Readonly<Record<string, readonly number[]>> =>
  JSON.parse(readFileSync(new URL('upstream-minutes.json', import.meta.url), 'utf8')) as Record<string, number[]>
