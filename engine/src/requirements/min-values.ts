import type { Requirements } from './requirements.ts'

/** How many distinct values of a key were reached where `minValues` asked for more. */
export type UnmetMinValues = ReadonlyMap<string, number>

/**
 * The keys whose `minValues` these types do not reach, with what they reach (`docs/spec/requirements.md#minvalues`). No
 * types at all miss nothing: the caller fails for another reason then.
 */
export const unmetMinValues = (requirements: Requirements, types: readonly Requirements[]): UnmetMinValues => {
  const unmet = new Map<string, number>()
  if (types.length === 0) return unmet
  for (const [key, { minValues }] of requirements.byKey) {
    if (minValues === undefined) continue
    const distinct = new Set<string>()
    for (const type of types) {
      for (const value of type.get(key).values) distinct.add(value)
      if (distinct.size >= minValues) break
    }
    if (distinct.size < minValues) unmet.set(key, distinct.size)
  }
  return unmet
}
