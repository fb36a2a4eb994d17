import type { Milliseconds } from '../units.ts'

/** `metav1.Time` as the API writes it: RFC 3339 in UTC, whole seconds. */
export const timestamp = (at: Milliseconds): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** `metav1.MicroTime` as the API writes it. */
export const microTimestamp = (at: Milliseconds): string => `${new Date(at).toISOString().slice(0, 23)}000Z`

/** Milliseconds since the epoch of an RFC 3339 time. Nothing for a time that is absent or cannot be read. */
export const timeOf = (text: string | undefined | null): Milliseconds | undefined => {
  if (text === undefined || text === null) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** The clocks of one cluster that differ by less are in order. */
const TOLERATED: Milliseconds = 10_000

/**
 * `timeOf` a time that something happened. Nothing for one that lies in the future: whoever wrote it had a wrong clock, and
 * a wait that counts from it would last longer by as much.
 */
export const pastTimeOf = (text: string | undefined | null, now: Milliseconds): Milliseconds | undefined => {
  const at = timeOf(text)
  return at === undefined || at > now + TOLERATED ? undefined : at
}
