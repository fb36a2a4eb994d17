import type { UsdPerHour } from '@kerf/apis'
import type { CapacityType, ComponentRate } from '../api/sku-rates.ts'
import type { TypeFacts } from '../type-facts.ts'
import { parseTypeName } from '../type-name.ts'

/** The number of vCPUs that the price of a shared-core instance type is based on. */
const SHARED_CORES: ReadonlyMap<string, number> = new Map([
  ['e2-micro', 0.25],
  ['e2-small', 0.5],
  ['e2-medium', 1],
])

/**
 * Families that the catalog's component prices do not cover: their price is higher than the sum, or the catalog describes their components
 * differently.
 */
const OTHERWISE_PRICED: ReadonlySet<string> = new Set(['m2', 'm4'])

const MIB_PER_GIB = 1024

/** Prices of instance types, as sums of the prices of their components in a region. */
export class CatalogPrices {
  readonly #rates: ReadonlyMap<string, UsdPerHour>

  constructor(rates: readonly ComponentRate[]) {
    this.#rates = new Map(rates.map(({ component, capacityType, rate }) => [`${capacityType} ${component}`, rate]))
  }

  /**
   * Returns the price of an instance without disks, or undefined if the catalog lacks a component. Returns undefined for types with bundled
   * local SSDs.
   */
  price(facts: TypeFacts, capacityType: CapacityType): UsdPerHour | undefined {
    const { name, vcpus, memoryMiB, accelerators, localSsdGiB } = facts
    const family = parseTypeName(name)?.family ?? ''
    if (localSsdGiB > 0 || OTHERWISE_PRICED.has(family)) return undefined
    const amounts: readonly (readonly [component: string, amount: number])[] = [
      [`${family} core`, SHARED_CORES.get(name) ?? vcpus],
      [`${family} ram`, memoryMiB / MIB_PER_GIB],
      ...accelerators.map(({ type, count }) => [type, count] as const),
    ]
    let sum = 0
    for (const [component, amount] of amounts) {
      const rate = this.#rates.get(`${capacityType} ${component}`)
      if (rate === undefined) return undefined
      sum += rate * amount
    }
    // The prices have nine decimal places. Later digits of a sum are rounding errors.
    return Number(sum.toFixed(9))
  }
}
