import { coreVocabulary, type UsdPerHour } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '../instance-type.ts'
import { typeOfNode } from '../instance-types/type-of-node.ts'
import { oncePerObject } from '../once-per-object.ts'
import { LabelRules, labels } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'

/** The capacity types in the order in which a launch tries them: reserved capacity first. */
const LAUNCH_ORDER = ['reserved', 'spot', 'on-demand'] as const

interface PricedOffering {
  readonly requirements: Requirements
  readonly capacityType: string
  readonly zone: string
  readonly price: UsdPerHour | undefined
  readonly available: boolean
}

interface PricedType {
  readonly requirements: Requirements
  readonly offerings: readonly PricedOffering[]
}

/** Providers and the engine use canonical label names, so the aliases that volume drivers use are not needed here. */
const rules = new LabelRules(coreVocabulary)

/** Instance types never change after a provider has returned them, so their requirements are parsed once. */
const priced = oncePerObject(
  (type: InstanceType): PricedType => ({
    requirements: rules.requirements(type.requirements),
    offerings: type.offerings.map((offering) => {
      const requirements = rules.requirements(offering.requirements)
      const { price, available } = offering
      const capacityType = requirements.get(labels.capacityType).any()
      return { requirements, capacityType, zone: requirements.get(labels.zone).any(), price, available }
    }),
  }),
)

export const parseRequirements = (specs: readonly RequirementSpec[]): Requirements => rules.requirements(specs)
export const typeRequirements = (type: InstanceType): Requirements => priced(type).requirements

/** Returns the offering with the zone and the capacity type of a node. A node without a zone label has an offering without a zone. */
const nodeOffering = (type: InstanceType, nodeLabels: Readonly<Record<string, string>>): PricedOffering | undefined => {
  const zone = nodeLabels[labels.zone] ?? ''
  const capacityType = nodeLabels[labels.capacityType]
  return priced(type).offerings.find((offer) => offer.zone === zone && offer.capacityType === capacityType)
}

/**
 * Returns the price of the offering that a node's labels identify, or undefined if the price is unknown or the offering no longer exists.
 */
export const labelledPrice = (
  nodeLabels: Readonly<Record<string, string>>,
  types: ReadonlyMap<string, InstanceType>,
): UsdPerHour | undefined => {
  const type = typeOfNode(types, nodeLabels)
  return type === undefined ? undefined : nodeOffering(type, nodeLabels)?.price
}

/**
 * Returns the price of a node: the price of the first offering with its zone and capacity type, available or not. For a node without a zone
 * label, it is the price of an offering without a zone. Returns 0 if the type or a matching offering is missing, as in Karpenter. Returns
 * `undefined` if the offering's price is unknown.
 */
export const nodePrice = (
  type: InstanceType | undefined,
  nodeLabels: Readonly<Record<string, string>>,
): UsdPerHour | undefined => {
  if (type === undefined) return 0
  const found = nodeOffering(type, nodeLabels)
  if (found === undefined) return 0
  return Number.isFinite(found.price) ? found.price : undefined
}

/**
 * Returns the price of the cheapest available offering of the instance type within the requirements; infinite if there is none, or if no
 * price is known.
 */
export const cheapestPrice = (type: InstanceType, wanted: Requirements): UsdPerHour => {
  let least = Number.POSITIVE_INFINITY
  for (const { available, price, requirements } of priced(type).offerings) {
    if (available && price !== undefined && price < least && wanted.intersects(requirements)) least = price
  }
  return least
}

/**
 * Returns the highest price that a launch may have. The launch uses the first capacity type with a usable offering, in the order reserved,
 * spot, on-demand. The result is the price of the most expensive usable offering of this capacity type. Infinite if no offering is usable,
 * or if one of their prices is unknown.
 */
export const worstLaunchPrice = (type: InstanceType, wanted: Requirements): UsdPerHour => {
  const worst = new Map<string, UsdPerHour>()
  for (const { available, price, requirements, capacityType } of priced(type).offerings) {
    if (!available || !wanted.intersects(requirements)) continue
    worst.set(capacityType, Math.max(worst.get(capacityType) ?? 0, price ?? Number.POSITIVE_INFINITY))
  }
  for (const capacityType of LAUNCH_ORDER) {
    const price = worst.get(capacityType)
    if (price !== undefined) return price
  }
  return Number.POSITIVE_INFINITY
}

/** Returns whether the instance type is available with this capacity type within the requirements. */
export const hasOffering = (type: InstanceType, wanted: Requirements, capacityType: string): boolean =>
  priced(type).offerings.some(
    (offer) => offer.available && offer.capacityType === capacityType && wanted.intersects(offer.requirements),
  )

/** Returns whether the instance type has an available offering with an unknown price within the requirements. */
export const mayHaveUnknownPrice = (type: InstanceType, wanted: Requirements): boolean =>
  priced(type).offerings.some(
    ({ available, price, requirements }) => available && price === undefined && wanted.intersects(requirements),
  )

/** Returns the instance types in the order of their cheapest usable offerings, then by name. Unavailable types come last. */
export const byCheapest = (types: readonly InstanceType[], wanted: Requirements): readonly InstanceType[] =>
  types
    .map((type) => ({ type, price: cheapestPrice(type, wanted) }))
    .sort((a, b) => (a.price === b.price ? byText(a.type.name, b.type.name) : a.price - b.price))
    .map(({ type }) => type)

/** Returns the instance types that cost less than `price`, even if the cloud launches their most expensive offering. */
export const cheaperThan = (
  types: readonly InstanceType[],
  wanted: Requirements,
  price: UsdPerHour,
): readonly InstanceType[] => types.filter((type) => worstLaunchPrice(type, wanted) < price)
