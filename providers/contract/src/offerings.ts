import type { UsdPerHour } from '@kerf/apis'
import { bySize, type InstanceType, type Offering, type RequirementSpec } from '@kerf/engine'
import { offeringAllocatable } from './allocatable.ts'
import { areCompatible, singleValue } from './requirements.ts'

/** The order in which capacity types are tried (`docs/spec/provider-contract.md#data-model`). */
export const CAPACITY_TYPES = ['reserved', 'spot', 'on-demand'] as const

/** Matches offerings that have these values in all given fields. For example, `{capacityType: 'spot'}` matches all spot offerings. */
export interface OfferingPattern {
  readonly capacityType?: string
  readonly instanceType?: string
  readonly zone?: string
}

/** Returns the pattern that matches only this offering of the type. */
export const offeringCoordinates = (type: InstanceType, offering: Offering): Required<OfferingPattern> => ({
  capacityType: singleValue(offering.requirements, 'karpenter.sh/capacity-type') ?? '',
  instanceType: type.name,
  zone: singleValue(offering.requirements, 'topology.kubernetes.io/zone') ?? '',
})

/** Returns the available offerings of an instance type that satisfy the requirements. */
export const usableOfferings = (type: InstanceType, requirements: readonly RequirementSpec[]): readonly Offering[] =>
  type.offerings.filter((offering) => offering.available && areCompatible(requirements, offering.requirements))

/** Compares two prices: the lower price comes first, unknown prices come last. */
export const comparePrices = (a: UsdPerHour | undefined, b: UsdPerHour | undefined): number =>
  a === b ? 0 : (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY)

/** Returns the lowest known price of a usable offering, or infinity if there is none. Use it only for comparisons. */
export const cheapestPrice = (type: InstanceType, requirements: readonly RequirementSpec[]): UsdPerHour =>
  usableOfferings(type, requirements).reduce(
    (lowest, { price = Number.POSITIVE_INFINITY }) => Math.min(lowest, price),
    Number.POSITIVE_INFINITY,
  )

/** Returns the instance types that satisfy the requirements and have a usable offering, in the given order. */
export const usableTypes = (
  types: readonly InstanceType[],
  requirements: readonly RequirementSpec[],
): readonly InstanceType[] =>
  types.filter(
    (type) => areCompatible(requirements, type.requirements) && usableOfferings(type, requirements).length > 0,
  )

/** Compares two instance types without a known price: the smaller type comes first (`docs/decisions/0007-unknown-prices.md`). */
export const smallerFirst = (a: InstanceType, b: InstanceType): number => bySize(typeAmounts(a), typeAmounts(b))

const typeAmounts = (type: InstanceType): ReadonlyMap<string, bigint> =>
  new Map(Object.entries(offeringAllocatable(type)))

/**
 * Sorts instance types by their cheapest usable offering. Types without a known price come last. Types with equal prices are sorted by
 * name, so that the order is deterministic.
 */
export const orderByPrice = (
  types: readonly InstanceType[],
  requirements: readonly RequirementSpec[],
): readonly InstanceType[] =>
  types
    .map((type) => ({ type, price: cheapestPrice(type, requirements) }))
    .sort(
      (a, b) =>
        comparePrices(a.price, b.price) ||
        (Number.isFinite(a.price) ? 0 : smallerFirst(a.type, b.type)) ||
        (a.type.name < b.type.name ? -1 : a.type.name > b.type.name ? 1 : 0),
    )
    .map(({ type }) => type)

/**
 * Returns the highest price that a launch can have: the price of the most expensive compatible offering of the first capacity type that has
 * one, in the order reserved, spot, on-demand. Returns undefined if no offering is compatible, and infinity if a price is unknown.
 */
export const worstLaunchPrice = (
  offerings: readonly Offering[],
  requirements: readonly RequirementSpec[],
): UsdPerHour | undefined => {
  for (const capacityType of CAPACITY_TYPES) {
    const prices = offerings
      .filter((offering) => singleValue(offering.requirements, 'karpenter.sh/capacity-type') === capacityType)
      .filter((offering) => offering.available && areCompatible(requirements, offering.requirements))
      .map(({ price = Number.POSITIVE_INFINITY }) => price)
    if (prices.length > 0) return Math.max(...prices)
  }
  return undefined
}
