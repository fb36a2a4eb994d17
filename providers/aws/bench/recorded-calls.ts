import { readFileSync } from 'node:fs'
import type { Counts } from '../../../tests/benchmarks/call-counts.ts'

/** The measured cluster sizes in nodes. */
export const SIZES = [0, 1_000, 5_000] as const

/** The counts for one cluster size. */
export interface RecordedSize {
  readonly firstMinute: Counts
  /** The calls in an hour that starts ten minutes after the start of the controller. */
  readonly steadyHour: Counts
}

/** Counts by number of nodes. */
export type RecordedSizes = Readonly<Record<string, RecordedSize>>

export interface RecordedCalls {
  /** The recorded counts of Kerf. New measurements must not exceed them. */
  readonly kerf: RecordedSizes
  /** The counts of upstream's provider v1.14.1, which were measured by hand (`providers/aws/docs/aws-calls.md` explains how). */
  readonly upstream: RecordedSizes
}

/** How many minutes after the start of the controller the steady hour begins. */
export const STEADY_FROM = 10

/** The file that contains the recorded counts. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls

/** Returns, for each number of nodes, how many DescribeInstances calls upstream made in each minute after its start. */
export const upstreamMinutes = (): Readonly<Record<string, readonly number[]>> =>
  JSON.parse(readFileSync(new URL('upstream-minutes.json', import.meta.url), 'utf8')) as Record<string, number[]>
