import type { UsdPerHour } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '../instance-type.ts'
import type { PlannedClaim } from '../plan.ts'
import { labels } from '../requirements/label-rules.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import { Requirement } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Blocker } from './blocker.ts'
import {
  byCheapest,
  cheaperThan,
  cheapestPrice,
  hasOffering,
  mayHaveUnknownPrice,
  nodePrice,
  requirementsOf,
  typeRequirements,
  worstLaunchPrice,
} from './prices.ts'

/** How many cheaper types a spot node's spot replacement must be able to choose from. */
export const SPOT_FLEXIBILITY = 15

/** One object, so that what is made of an answer can be kept with it. */
const SPOT_DISABLED: Blocker = Object.freeze({ code: 'spot.disabled' })

/** A node that a replacement would take over from. */
export interface ReplacedNode {
  readonly labels: Readonly<Record<string, string>>
  /** Absent when the pool does not offer it any more. */
  readonly type: InstanceType | undefined
  /** What it costs, with what every node costs beside its instance. Undefined where nobody knows it. */
  readonly price: UsdPerHour | undefined
}

export interface ReplacementRules {
  readonly spotToSpot: boolean
  /** What every node costs beside its instance; the prices of replaced nodes hold it. 0 when absent. */
  readonly nodeOverheadCost?: UsdPerHour
}

/** What a claim may be launched as, cheapest type first. */
interface Options {
  readonly requirements: Requirements
  readonly types: readonly InstanceType[]
}

const isSpot = (node: ReplacedNode): boolean => node.labels[labels.capacityType] === 'spot'

/** Types below the price, unless a minValues that must hold is not reached with them. */
const belowPrice = ({ requirements, types }: Options, price: UsdPerHour): readonly InstanceType[] | Blocker => {
  const kept = cheaperThan(types, requirements, price)
  if (kept.length === 0) {
    // It may well be cheaper: with a price it could replace the node.
    const unpriced = types.find((type) => mayHaveUnknownPrice(type, requirements))
    if (unpriced !== undefined) return { code: 'price.unknown', type: unpriced.name }
    const closest = types.map((type) => worstLaunchPrice(type, requirements)).filter(Number.isFinite)
    return {
      code: 'price.not-cheaper',
      price,
      ...(closest.length === 0 ? {} : { closest: Math.min(...closest) }),
    }
  }
  const unmet = unmetMinValues(requirements, kept.map(typeRequirements))
  if (unmet.size === 0) return kept
  return { code: 'min-values.unmet', keys: [...unmet].map(([key, count]) => ({ key, count })), types: kept.length }
}

/**
 * What is left of a planned claim once it must cost less than the nodes it replaces, or why nothing is
 * (`docs/spec/disruption.md#consolidation`). `types` are those of the claim's pool.
 */
export const cheaperReplacement = (
  planned: PlannedClaim,
  types: readonly InstanceType[],
  replaced: readonly ReplacedNode[],
  rules: ReplacementRules,
): PlannedClaim | Blocker => {
  const unknown = replaced.find((node) => node.price === undefined)
  if (unknown !== undefined) return { code: 'price.unknown', type: unknown.labels[labels.instanceType] ?? '' }
  // The new node costs as much beside its instance as each of the old ones.
  const price = replaced.reduce((sum, node) => sum + (node.price ?? 0), 0) - (rules.nodeOverheadCost ?? 0)
  const requirements = requirementsOf(planned.requirements)
  const capacityTypes = requirements.get(labels.capacityType)
  const isSpotForSpot = replaced.every(isSpot) && capacityTypes.has('spot')
  // Before any type is looked at: where spot may not replace spot this is the answer to most questions.
  if (isSpotForSpot && !rules.spotToSpot) return SPOT_DISABLED
  const names = new Set(planned.instanceTypes)
  const options: Options = {
    requirements,
    types: byCheapest(
      types.filter(({ name }) => names.has(name)),
      requirements,
    ),
  }
  if (isSpotForSpot) return spotReplacement(planned, options, price, replaced)
  const kept = belowPrice(options, price)
  if ('code' in kept) return kept
  if (!capacityTypes.has('spot') || !capacityTypes.has('on-demand')) return narrowed(planned, kept, requirements)
  // A launch that fails for spot must not become a dearer on-demand node.
  const onSpot = kept.filter((type) => hasOffering(type, requirements, 'spot'))
  if (onSpot.length > 0) return narrowed(planned, onSpot, withCapacityType(requirements, 'spot'))
  return narrowed(planned, kept, withCapacityType(requirements, 'on-demand'))
}

const withCapacityType = (requirements: Requirements, capacityType: string): Requirements => {
  const { minValues } = requirements.get(labels.capacityType)
  return requirements.replace(Requirement.in(labels.capacityType, [capacityType], minValues))
}

/** Spot for spot. A single node may only go where the market has much to choose from, or it would soon go again. */
const spotReplacement = (
  planned: PlannedClaim,
  options: Options,
  price: UsdPerHour,
  replaced: readonly ReplacedNode[],
): PlannedClaim | Blocker => {
  const requirements = withCapacityType(options.requirements, 'spot')
  const types = byCheapest(
    options.types.filter((type) => hasOffering(type, requirements, 'spot')),
    requirements,
  )
  const kept = belowPrice({ requirements, types }, price)
  if ('code' in kept) return kept
  if (replaced.length > 1) return narrowed(planned, kept, requirements)
  if (kept.length < SPOT_FLEXIBILITY)
    return { code: 'spot.too-few-types', types: kept.length, needed: SPOT_FLEXIBILITY }
  const count = Math.max(SPOT_FLEXIBILITY, neededForMinValues(kept, requirements))
  return narrowed(planned, kept.slice(0, count), requirements)
}

/** How many types, from the cheapest on, reach every minValues. They are known to reach them all together. */
const neededForMinValues = (types: readonly InstanceType[], requirements: Requirements): number => {
  if (!requirements.hasMinValues) return 0
  for (let count = 1; count < types.length; count++) {
    if (unmetMinValues(requirements, types.slice(0, count).map(typeRequirements)).size === 0) return count
  }
  return types.length
}

/**
 * Takes away the options that would give back a type which is among the replaced nodes without being cheaper: merging
 * two nodes of a kind into one of the same kind is what deleting one of them does.
 */
export const withoutSameType = (
  planned: PlannedClaim,
  types: readonly InstanceType[],
  replaced: readonly ReplacedNode[],
): PlannedClaim | Blocker => {
  const names = new Set(planned.instanceTypes)
  const prices = new Map<string, UsdPerHour>()
  for (const { type, labels: nodeLabels } of replaced) {
    if (type === undefined) continue
    const price = nodePrice(type, nodeLabels) ?? 0
    prices.set(type.name, Math.min(prices.get(type.name) ?? Number.POSITIVE_INFINITY, price))
  }
  let bound = Number.POSITIVE_INFINITY
  for (const [name, price] of prices) if (names.has(name)) bound = Math.min(bound, price)
  if (!Number.isFinite(bound)) return planned
  const requirements = requirementsOf(planned.requirements)
  const options = byCheapest(
    types.filter(({ name }) => names.has(name)),
    requirements,
  )
  const kept = belowPrice({ requirements, types: options }, bound)
  return 'code' in kept ? kept : narrowed(planned, kept, requirements)
}

/** The claim with fewer types and these requirements. */
const narrowed = (planned: PlannedClaim, types: readonly InstanceType[], requirements: Requirements): PlannedClaim => {
  const { minValues } = requirements.get(labels.instanceType)
  const names = types.map(({ name }) => name)
  const wanted = requirements.replace(Requirement.in(labels.instanceType, names, minValues))
  const specs = wanted.toSpecs()
  const [first] = types
  return {
    ...planned,
    requirements: specs,
    instanceTypes: names,
    cheapest: first === undefined ? planned.cheapest : cheapestOf(first, wanted, planned),
    spec: { ...planned.spec, requirements: specs.map(mutable) },
  }
}

const mutable = (spec: RequirementSpec) => ({ ...spec, values: [...(spec.values ?? [])] })

const cheapestOf = (type: InstanceType, wanted: Requirements, planned: PlannedClaim): PlannedClaim['cheapest'] => {
  let best = { ...planned.cheapest, instanceType: type.name, price: Number.POSITIVE_INFINITY }
  for (const offering of type.offerings) {
    if (!offering.available || offering.price === undefined || offering.price >= best.price) continue
    const requirements = requirementsOf(offering.requirements)
    if (!wanted.intersects(requirements)) continue
    best = {
      instanceType: type.name,
      zone: requirements.get(labels.zone).any(),
      capacityType: requirements.get(labels.capacityType).any(),
      price: offering.price,
    }
  }
  return Number.isFinite(best.price) ? best : planned.cheapest
}

/** What nodes cost together; undefined where nobody knows the price of one. */
export const sumOfPrices = (nodes: readonly Pick<ReplacedNode, 'price'>[]): UsdPerHour | undefined => {
  let sum = 0
  for (const { price } of nodes) {
    if (price === undefined) return undefined
    sum += price
  }
  return sum
}

/**
 * What a move saves: the prices of what goes, less the cheapest usable offering of each replacement's first type. A
 * replacement that cannot be had any more counts as free, as upstream has it; `nodeOverheadCost` is what each costs beside its instance; undefined where nobody knows one of the prices.
 */
export const savingsOf = (
  sources: readonly Pick<ReplacedNode, 'price'>[],
  replacements: readonly PlannedClaim[],
  typeNamed: (pool: string, name: string) => InstanceType | undefined,
  nodeOverheadCost: UsdPerHour = 0,
): UsdPerHour | undefined => {
  let savings = sumOfPrices(sources)
  if (savings === undefined) return undefined
  savings -= replacements.length * nodeOverheadCost
  for (const { nodePool, instanceTypes, requirements } of replacements) {
    const type = typeNamed(nodePool, instanceTypes[0] ?? '')
    if (type === undefined) continue
    const wanted = requirementsOf(requirements)
    const price = cheapestPrice(type, wanted)
    if (Number.isFinite(price)) savings -= price
    else if (mayHaveUnknownPrice(type, wanted)) return undefined
  }
  return savings
}
