const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }

/**
 * Parses a duration of a NodePool (`1h30m`, `45s`) into milliseconds. Returns undefined for `Never` and absent values. Deliberately does
 * not use Kerf's parser, because the invariants could then not detect the parser's bugs.
 */
export const parseMilliseconds = (text: string | undefined): number | undefined => {
  const parts = [...(text ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0)
}
