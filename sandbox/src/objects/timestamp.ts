import type { Milliseconds } from '@kerf/runtime'

/** `metav1.Time` on the wire: RFC 3339 in UTC, whole seconds. */
export const timestamp = (at: Milliseconds): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** `metav1.MicroTime` on the wire. */
export const microTimestamp = (at: Milliseconds): string => `${new Date(at).toISOString().slice(0, 23)}000Z`

/** Milliseconds since the epoch, or `undefined` for an absent or unreadable time. */
export const timeOf = (text: string | undefined | null): Milliseconds | undefined => {
  if (text === undefined || text === null) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
