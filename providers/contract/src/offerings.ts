import type { UsdPerHour } from '@kerf/apis'
import { bySize, type InstanceType, type Offering, type RequirementSpec } from '@kerf/engine'
import { allocatableOf } from './allocatable.ts'
import { areCompatible, singleValueOf } from './requirements.ts'

/** The order in which capacity types are tried (`docs/spec/provider-contract.md#data-model`). */
export const CAPACITY_TYPES = ['reserved', 'spot', 'on-demand'] as const

/** Which offerings: those that agree with every field given. `{capacityType: 'spot'}` is all of spot. */
export interface OfferingPattern {
  readonly capacityType?: string
  readonly instanceType?: string
  readonly zone?: string
}

/** Which one an offering is: the pattern that only it agrees with. */
export const coordinatesOf = (type: InstanceType, offering: Offering): Required<OfferingPattern> => ({
  capacityType: singleValueOf(offering.requirements, 'karpenter.sh/capacity-type') ?? '',
  instanceType: type.name,
  zone: singleValueOf(offering.requirements, 'topology.kubernetes.io/zone') ?? '',
})

/** The offerings of a type that can be had now and that the requirements admit. */
export const usableOfferings = (type: InstanceType, requirements: readonly RequirementSpec[]): readonly Offering[] =>
  type.offerings.filter((offering) => offering.available && areCompatible(requirements, offering.requirements))

/** For sorting: the lower price first, and what nobody knows the price of last. */
export const comparePrices = (a: UsdPerHour | undefined, b: UsdPerHour | undefined): number =>
  a === b ? 0 : (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY)

/** The lowest known price of a usable offering; infinite when there is none. For comparing only. */
export const cheapestPrice = (type: InstanceType, requirements: readonly RequirementSpec[]): UsdPerHour =>
  usableOfferings(type, requirements).reduce(
    (lowest, { price = Number.POSITIVE_INFINITY }) => Math.min(lowest, price),
    Number.POSITIVE_INFINITY,
  )

/** The types that the requirements admit and that have a usable offering, in the order given. */
export const usableTypes = (
  types: readonly InstanceType[],
  requirements: readonly RequirementSpec[],
): readonly InstanceType[] =>
  types.filter(
    (type) => areCompatible(requirements, type.requirements) && usableOfferings(type, requirements).length > 0,
  )

/** The smaller machine first where nobody knows a price of either (`docs/decisions/0007-unknown-prices.md`). */
export const smallerFirst = (a: InstanceType, b: InstanceType): number => bySize(amountsOf(a), amountsOf(b))

const amountsOf = (type: InstanceType): ReadonlyMap<string, bigint> => new Map(Object.entries(allocatableOf(type)))

/** By cheapest usable offering, then by name, so that the order is the same every time. What has no known price comes last. */
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
 * What a launch may cost at worst: the dearest compatible offering of the first capacity type that has one, in the order
 * reserved, spot, on-demand. Nothing when no offering is compatible, infinite when nobody knows what one of them costs.
 */
export const worstLaunchPrice = (
  offerings: readonly Offering[],
  requirements: readonly RequirementSpec[],
): UsdPerHour | undefined => {
  for (const capacityType of CAPACITY_TYPES) {
    const prices = offerings
      .filter((offering) => singleValueOf(offering.requirements, 'karpenter.sh/capacity-type') === capacityType)
      .filter((offering) => offering.available && areCompatible(requirements, offering.requirements))
      .map(({ price = Number.POSITIVE_INFINITY }) => price)
    if (prices.length > 0) return Math.max(...prices)
  }
  return undefined
}
