import { coreVocabulary, type UsdPerHour } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '../instance-type.ts'
import { oncePerObject } from '../once-per-object.ts'
import { LabelRules, labels } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'

/** What prices are compared with: capacity types in the order in which a launch tries them. */
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

/** Providers write their types under the names of labels, and the engine its claims: no alias of a volume's driver occurs. */
const rules = new LabelRules(coreVocabulary)

/** Types are handed out once and never changed, so what they mean is read once too. */
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

export const requirementsOf = (specs: readonly RequirementSpec[]): Requirements => rules.requirements(specs)
export const typeRequirements = (type: InstanceType): Requirements => priced(type).requirements

/**
 * What a node costs: the first offering with its zone and capacity type, whether or not it can be had now. A node without
 * a zone label has the price of an offering without zone. 0 when the type or the labels say nothing, as upstream has it; undefined
 * when nobody knows the price of the offering.
 */
export const nodePrice = (
  type: InstanceType | undefined,
  nodeLabels: Readonly<Record<string, string>>,
): UsdPerHour | undefined => {
  if (type === undefined) return 0
  const zone = nodeLabels[labels.zone] ?? ''
  const capacityType = nodeLabels[labels.capacityType]
  const found = priced(type).offerings.find((offer) => offer.zone === zone && offer.capacityType === capacityType)
  if (found === undefined) return 0
  return Number.isFinite(found.price) ? found.price : undefined
}

/** The least that the type can be had for within the requirements; infinite when it cannot be had, or nobody knows for how much. */
export const cheapestPrice = (type: InstanceType, wanted: Requirements): UsdPerHour => {
  let least = Number.POSITIVE_INFINITY
  for (const { available, price, requirements } of priced(type).offerings) {
    if (available && price !== undefined && price < least && wanted.intersects(requirements)) least = price
  }
  return least
}

/**
 * What a launch may cost at worst: the dearest usable offering of the first capacity type that has one, in the order
 * reserved, spot, on-demand. Infinite when none is usable, or nobody knows what one of them costs.
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

/** Whether the type can be had with this capacity type within the requirements. */
export const hasOffering = (type: InstanceType, wanted: Requirements, capacityType: string): boolean =>
  priced(type).offerings.some(
    (offer) => offer.available && offer.capacityType === capacityType && wanted.intersects(offer.requirements),
  )

/** Whether the type can be had within the requirements as an offering whose price nobody knows. */
export const mayHaveUnknownPrice = (type: InstanceType, wanted: Requirements): boolean =>
  priced(type).offerings.some(
    ({ available, price, requirements }) => available && price === undefined && wanted.intersects(requirements),
  )

/** By cheapest usable offering, then by name; types that cannot be had come last. */
export const byCheapest = (types: readonly InstanceType[], wanted: Requirements): readonly InstanceType[] =>
  types
    .map((type) => ({ type, price: cheapestPrice(type, wanted) }))
    .sort((a, b) => (a.price === b.price ? byText(a.type.name, b.type.name) : a.price - b.price))
    .map(({ type }) => type)

/** The types whose launch stays below `price` whatever offering it gets. */
export const cheaperThan = (
  types: readonly InstanceType[],
  wanted: Requirements,
  price: UsdPerHour,
): readonly InstanceType[] => types.filter((type) => worstLaunchPrice(type, wanted) < price)
