import { readFileSync } from 'node:fs'
import type { Counts } from '../call-counts.ts'

/** Clusters of so many nodes are measured. */
export const SIZES = [0, 1_000, 5_000] as const

/** What was counted on a cluster of one size. */
export interface RecordedSize {
  readonly firstMinute: Counts
  /** An hour that begins ten minutes after the start. */
  readonly steadyHour: Counts
}

/** By the number of nodes. */
export type RecordedSizes = Readonly<Record<string, RecordedSize>>

export interface RecordedCalls {
  /** What no later count of Kerf's may be above. */
  readonly kerf: RecordedSizes
  /** Upstream's provider v1.14.1, counted by hand (`docs/aws-calls.md` explains how). */
  readonly upstream: RecordedSizes
}

/** The first minute of the hour that counts as steady: ten minutes have gone by. */
export const STEADY_FROM = 10

/** Where the counts are kept. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls

/** How often upstream asked for DescribeInstances in each minute from its start on, as counted, by the number of nodes. */
export const upstreamMinutes = (): Readonly<Record<string, readonly number[]>> =>
  JSON.parse(readFileSync(new URL('upstream-minutes.json', import.meta.url), 'utf8')) as Record<string, number[]>
