import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { admitsValue, orderByPrice } from '@kerf/provider-contract'

export interface MinValuesResult {
  /**
   * How many instance types, from the beginning of the list, are needed to satisfy every `minValues`. If any `minValues` cannot be
   * satisfied, the number of all types.
   */
  readonly needed: number
  /**
   * The number of distinct values that the instance types have, keyed by label. Contains only labels whose `minValues` they do not satisfy.
   */
  readonly unmet: ReadonlyMap<string, number>
}

/**
 * Computes how many instance types, from the beginning of the list, are needed so that each key has as many distinct values as its
 * `minValues` requires.
 */
export const checkMinValues = (
  types: readonly InstanceType[],
  requirements: readonly RequirementSpec[],
): MinValuesResult => {
  const asked = requirements.filter((requirement) => (requirement.minValues ?? 0) > 0)
  const seen = new Map(asked.map(({ key }) => [key, new Set<string>()]))
  const open = (): readonly RequirementSpec[] =>
    asked.filter(({ key, minValues = 0 }) => (seen.get(key)?.size ?? 0) < minValues)
  if (asked.length === 0) return { needed: 0, unmet: new Map() }
  for (const [index, type] of types.entries()) {
    for (const requirement of asked) {
      const offered = type.requirements.find(({ key }) => key === requirement.key)
      if (offered?.operator !== 'In') continue
      for (const value of offered.values ?? []) {
        if (admitsValue(requirement, value)) seen.get(requirement.key)?.add(value)
      }
    }
    if (open().length === 0) return { needed: index + 1, unmet: new Map() }
  }
  return { needed: types.length, unmet: new Map(open().map(({ key }) => [key, seen.get(key)?.size ?? 0])) }
}

/** Thrown if a truncated list of instance types would violate a `minValues` under the policy `Strict`. */
export class MinValuesError extends Error {
  override readonly name = 'MinValuesError'
  readonly unmet: ReadonlyMap<string, number>

  constructor(unmet: ReadonlyMap<string, number>, limit: number) {
    const keys = [...unmet].map(([key, count]) => `${key} (${count})`).join(', ')
    super(`the ${limit} cheapest instance types do not reach minValues of ${keys}`)
    this.unmet = unmet
  }
}

/**
 * Returns the cheapest `limit` instance types.
 *
 * @throws MinValuesError if they violate a `minValues` and the policy is `Strict`.
 */
export const truncateTypes = (
  types: readonly InstanceType[],
  requirements: readonly RequirementSpec[],
  limit: number,
  policy: 'Strict' | 'BestEffort',
): readonly InstanceType[] => {
  const cheapest = orderByPrice(types, requirements).slice(0, limit)
  if (policy === 'Strict') {
    const { unmet } = checkMinValues(cheapest, requirements)
    if (unmet.size > 0) throw new MinValuesError(unmet, limit)
  }
  return cheapest
}
