import type { Requirements } from './requirements.ts'

/** For each key whose `minValues` is violated, the number of distinct values that were reached. */
export type UnmetMinValues = ReadonlyMap<string, number>

/**
 * Returns the keys whose `minValues` these instance types violate, and how many distinct values the types have for each key
 * (`docs/spec/requirements.md#minvalues`). If `types` is empty, the result is empty too, because the caller then fails for another reason.
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
