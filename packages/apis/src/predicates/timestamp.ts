import type { Milliseconds } from '../units.ts'

/** Returns a `metav1.Time` as in the API: RFC 3339 in UTC with whole seconds. */
export const timestamp = (at: Milliseconds): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Returns a `metav1.MicroTime` as in the API. */
export const microTimestamp = (at: Milliseconds): string => `${new Date(at).toISOString().slice(0, 23)}000Z`

/** Returns the milliseconds since the epoch of an RFC 3339 time, or `undefined` if it is absent or invalid. */
export const parseTime = (text: string | undefined | null): Milliseconds | undefined => {
  if (text === undefined || text === null) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** A smaller difference between the clocks of one cluster is acceptable. */
const TOLERATED: Milliseconds = 10_000

/**
 * Returns `timeOf` the time of an event, or `undefined` if it lies in the future. A future time was written with a wrong clock, and
 * a wait that counts from it would last too long.
 */
export const parsePastTime = (text: string | undefined | null, now: Milliseconds): Milliseconds | undefined => {
  const at = parseTime(text)
  return at === undefined || at > now + TOLERATED ? undefined : at
}
