/** The reaction of an API server to an object: it either stores the spec or refuses fields. */
export type Verdict =
  | { readonly accepted: true; readonly spec: unknown }
  | { readonly accepted: false; readonly fields: readonly string[] }

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}

/** Returns the 32-bit FNV-1a hash of the text. This is long enough to distinguish the texts. */
const fingerprint = (text: string): string => {
  let hash = 2_166_136_261
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 16_777_619) >>> 0
  return hash.toString(16)
}

/** Returns a verdict as one line: the refused fields, or a hash of the stored spec. */
export const verdictLine = (verdict: Verdict): string =>
  verdict.accepted
    ? `accepted ${fingerprint(JSON.stringify(sorted(verdict.spec)) ?? '')}`
    : `refused ${[...new Set(verdict.fields.filter((field) => field !== '' && field !== '<nil>'))].sort().join(' ')}`
