import { readFileSync } from 'node:fs'
import type { CallCounts, NodeKind } from './measure.ts'

/** The measured cluster sizes in nodes. */
export const SIZES = [0, 1_000] as const

/** The file that contains the recorded counts. */
export const RECORDED = new URL('recorded-calls.json', import.meta.url)

/** The recorded counts by kind and number of nodes. New measurements must not exceed them. The steady period lasts an hour. */
export type RecordedCalls = Readonly<Partial<Record<NodeKind, Readonly<Record<string, CallCounts>>>>>

export const recordedCalls = (): RecordedCalls => JSON.parse(readFileSync(RECORDED, 'utf8')) as RecordedCalls
