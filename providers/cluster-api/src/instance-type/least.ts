import type { Quantity } from '@kerf/apis'
import { ownValue, setOwnValue } from '@kerf/apis'
import type { Resources } from '@kerf/engine'

/** Returns the smallest amount of each resource among the machines. Omits a resource that a machine lacks. */
export const leastResources = (amounts: readonly Resources[]): Resources => {
  const least: Record<string, Quantity> = {}
  for (const name of Object.keys(amounts[0] ?? {})) {
    const known = amounts.flatMap((resources) => ownValue(resources, name) ?? [])
    if (known.length === amounts.length)
      setOwnValue(
        least,
        name,
        known.reduce((a, b) => (a < b ? a : b)),
      )
  }
  return least
}
