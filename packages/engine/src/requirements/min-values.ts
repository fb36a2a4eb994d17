import type { Requirements } from './requirements.ts'

/** For each key whose `minValues` is violated, the number of distinct values that were reached. */
export type UnmetMinValues = ReadonlyMap<string, number>

/**
 * Returns the keys whose `minValues` these instance types violate, with the numbers of values that they reach
 * (`docs/spec/requirements.md#minvalues`). Without types, the result is empty, because the caller then fails for another reason.
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
