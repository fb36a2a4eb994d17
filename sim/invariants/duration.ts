const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }

/**
 * Milliseconds of a duration as NodePools have them (`1h30m`, `45s`); nothing for `Never` and what is absent. Parsed
 * here once more on purpose: an invariant that used Kerf's own parser would not notice its faults.
 */
export const millisecondsOf = (text: string | undefined): number | undefined => {
  const parts = [...(text ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0)
}
