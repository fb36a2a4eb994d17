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
