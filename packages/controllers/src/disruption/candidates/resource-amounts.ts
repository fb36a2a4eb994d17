import type { Pod } from '@kerf/apis'
import { cachedRequests, type Resources } from '@kerf/engine'

/** Amounts in billionths, by resource name. */
export type Amounts = ReadonlyMap<string, bigint>

/** Adds the amounts to `sum` in place, or subtracts them if `times` is -1. */
export const addTo = (sum: Map<string, bigint>, amounts: Amounts, times: 1n | -1n = 1n): void => {
  for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0n) + times * amount)
}

export const sumRequests = (pods: readonly Pod[]): Map<string, bigint> => {
  const sum = new Map<string, bigint>()
  for (const pod of pods) addTo(sum, cachedRequests(pod))
  return sum
}

export const resourceAmounts = (resources: Resources): Amounts =>
  new Map(Object.entries(resources).flatMap(([name, amount]) => (amount === undefined ? [] : [[name, amount]])))
