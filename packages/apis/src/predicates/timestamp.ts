import type { Milliseconds } from '../units.ts'

/** Returns a `metav1.Time` as the API writes it: RFC 3339 in UTC with whole seconds. */
export const formatTime = (at: Milliseconds): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** Returns a `metav1.MicroTime` as the API writes it. */
export const formatMicroTime = (at: Milliseconds): string => `${new Date(at).toISOString().slice(0, 23)}000Z`

/** Converts an RFC 3339 time to milliseconds since the epoch. Returns `undefined` if the string is absent or invalid. */
export const parseTime = (text: string | undefined | null): Milliseconds | undefined => {
  if (text === undefined || text === null) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/**
 * Converts a time that a user wrote to milliseconds since the epoch. Returns `undefined` if the string is not an RFC 3339 time with a time
 * zone. `parseTime` also accepts other formats.
 */
export const parseRfc3339 = (text: string): Milliseconds | undefined =>
  RFC3339.test(text) ? parseTime(text) : undefined

/** The tolerated difference between the clocks of a cluster's machines, in milliseconds. */
const TOLERATED: Milliseconds = 10_000

/**
 * Returns the time of an event like `parseTime`, but `undefined` if the time is in the future. A future time comes from a wrong clock, and
 * a wait that starts at that time would last too long.
 */
export const parsePastTime = (text: string | undefined | null, now: Milliseconds): Milliseconds | undefined => {
  const at = parseTime(text)
  return at === undefined || at > now + TOLERATED ? undefined : at
}
