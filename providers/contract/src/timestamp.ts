import type { Milliseconds } from '@kerf/runtime'

/** Milliseconds since the epoch of an RFC 3339 time; nothing for an absent or unreadable one. */
export const timeOf = (text: string | undefined | null): Milliseconds | undefined => {
  if (text === undefined || text === null) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
