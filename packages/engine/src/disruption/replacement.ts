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
  parseRequirements,
  typeRequirements,
  worstLaunchPrice,
} from './prices.ts'

/** The minimum number of cheaper instance types that are required to replace a spot node with another spot node. */
export const SPOT_FLEXIBILITY = 15

/** All callers get the same object, so that they can cache results by its identity. */
const SPOT_DISABLED: Blocker = Object.freeze({ code: 'spot.disabled' })

/** A node that would be replaced. */
export interface ReplacedNode {
  readonly labels: Readonly<Record<string, string>>
  /** Absent if the pool does not offer the instance type any more. */
  readonly type: InstanceType | undefined
  /** The price, including `nodeOverheadCost`. Undefined if it is unknown. */
  readonly price: UsdPerHour | undefined
}

export interface ReplacementRules {
  readonly spotToSpot: boolean
  /** The overhead cost per node, which the prices of replaced nodes include. 0 if absent. */
  readonly nodeOverheadCost?: UsdPerHour
}

/** The instance types that a claim may become, cheapest first. */
interface Options {
  readonly requirements: Requirements
  readonly types: readonly InstanceType[]
}

const isSpot = (node: ReplacedNode): boolean => node.labels[labels.capacityType] === 'spot'

/** Returns the instance types that cost less than `price`. If there are none, or if they do not satisfy `minValues`, returns a blocker. */
const belowPrice = ({ requirements, types }: Options, price: UsdPerHour): readonly InstanceType[] | Blocker => {
  const kept = cheaperThan(types, requirements, price)
  if (kept.length === 0) {
    // If the price of this instance type were known, the type might be cheap enough to replace the node.
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
 * Returns the planned claim with only those instance types that make it cheaper than the nodes that it replaces. If there are none, returns
 * a blocker (`docs/spec/disruption.md#consolidation`). `types` are the instance types of the claim's pool.
 */
export const cheaperReplacement = (
  planned: PlannedClaim,
  types: readonly InstanceType[],
  replaced: readonly ReplacedNode[],
  rules: ReplacementRules,
): PlannedClaim | Blocker => {
  const unknown = replaced.find((node) => node.price === undefined)
  if (unknown !== undefined) return { code: 'price.unknown', type: unknown.labels[labels.instanceType] ?? '' }
  // The replacement has the overhead cost too, so its instance must be cheaper by that amount.
  const price = replaced.reduce((sum, node) => sum + (node.price ?? 0), 0) - (rules.nodeOverheadCost ?? 0)
  const requirements = parseRequirements(planned.requirements)
  const capacityTypes = requirements.get(labels.capacityType)
  const isSpotForSpot = replaced.every(isSpot) && capacityTypes.has('spot')
  // If spot nodes must not replace spot nodes, most replacements fail for this reason. So this check comes before the instance types are
  // compared.
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
  // If the launch of a spot instance fails, a more expensive on-demand node must not be launched instead.
  const onSpot = kept.filter((type) => hasOffering(type, requirements, 'spot'))
  if (onSpot.length > 0) return narrowed(planned, onSpot, withCapacityType(requirements, 'spot'))
  return narrowed(planned, kept, withCapacityType(requirements, 'on-demand'))
}

const withCapacityType = (requirements: Requirements, capacityType: string): Requirements => {
  const { minValues } = requirements.get(labels.capacityType)
  return requirements.replace(Requirement.in(labels.capacityType, [capacityType], minValues))
}

/**
 * Returns the spot replacement for spot nodes. A single node is replaced only if enough instance types are available. With fewer types, the
 * cloud might soon interrupt the new node.
 */
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

/**
 * Returns the number of instance types, cheapest first, that are needed to satisfy every `minValues`. All types together are known to
 * satisfy them.
 */
const neededForMinValues = (types: readonly InstanceType[], requirements: Requirements): number => {
  if (!requirements.hasMinValues) return 0
  for (let count = 1; count < types.length; count++) {
    if (unmetMinValues(requirements, types.slice(0, count).map(typeRequirements)).size === 0) return count
  }
  return types.length
}

/**
 * If the claim could launch the type of a replaced node again, removes all instance types that are not cheaper than the cheapest such node.
 * For example, merging two nodes of a type into one node of that type is the same as deleting one of them.
 */
export const withoutSameType = (
  planned: PlannedClaim,
  types: readonly InstanceType[],
  replaced: readonly ReplacedNode[],
): PlannedClaim | Blocker => {
  const names = new Set(planned.instanceTypes)
  let bound = Number.POSITIVE_INFINITY
  for (const { type, labels: nodeLabels } of replaced) {
    if (type === undefined || !names.has(type.name)) continue
    const price = nodePrice(type, nodeLabels)
    if (price === undefined) return { code: 'price.unknown', type: type.name }
    bound = Math.min(bound, price)
  }
  if (!Number.isFinite(bound)) return planned
  const requirements = parseRequirements(planned.requirements)
  const options = byCheapest(
    types.filter(({ name }) => names.has(name)),
    requirements,
  )
  const kept = belowPrice({ requirements, types: options }, bound)
  return 'code' in kept ? kept : narrowed(planned, kept, requirements)
}

/** Returns the claim with only these instance types and these requirements. */
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
    cheapest:
      first === undefined || planned.commitment !== undefined ? planned.cheapest : typeCheapest(first, wanted, planned),
    spec: { ...planned.spec, requirements: specs.map(mutable) },
  }
}

const mutable = (spec: RequirementSpec) => ({ ...spec, values: [...(spec.values ?? [])] })

const typeCheapest = (type: InstanceType, wanted: Requirements, planned: PlannedClaim): PlannedClaim['cheapest'] => {
  let best = { ...planned.cheapest, instanceType: type.name, price: Number.POSITIVE_INFINITY }
  for (const offering of type.offerings) {
    if (!offering.available || offering.price === undefined || offering.price >= best.price) continue
    const requirements = parseRequirements(offering.requirements)
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

/** Returns the total price of nodes; `undefined` if one price is unknown. */
export const sumOfPrices = (nodes: readonly Pick<ReplacedNode, 'price'>[]): UsdPerHour | undefined => {
  let sum = 0
  for (const { price } of nodes) {
    if (price === undefined) return undefined
    sum += price
  }
  return sum
}

/**
 * Returns the savings of a move: the total price of the removed nodes, minus the cost of each replacement. The cost of a replacement is the
 * price of the cheapest usable offering of its first instance type, plus `nodeOverheadCost`. A replacement that is no longer available
 * counts as free, as in Karpenter. Returns `undefined` if a price is unknown.
 */
export const replacementSavings = (
  sources: readonly Pick<ReplacedNode, 'price'>[],
  replacements: readonly PlannedClaim[],
  typeNamed: (pool: string, name: string) => InstanceType | undefined,
  nodeOverheadCost: UsdPerHour = 0,
): UsdPerHour | undefined => {
  let savings = sumOfPrices(sources)
  if (savings === undefined) return undefined
  savings -= replacements.length * nodeOverheadCost
  for (const { nodePool, instanceTypes, requirements, commitment } of replacements) {
    // A commitment covers the replacement, so it costs nothing more.
    if (commitment !== undefined) continue
    const type = typeNamed(nodePool, instanceTypes[0] ?? '')
    if (type === undefined) continue
    const wanted = parseRequirements(requirements)
    const price = cheapestPrice(type, wanted)
    if (Number.isFinite(price)) savings -= price
    else if (mayHaveUnknownPrice(type, wanted)) return undefined
  }
  return savings
}
