import type { NodePool, Quantity } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '../instance-type.ts'
import { labels } from '../requirements/label-rules.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { Commitment, PoolOption } from '../snapshot.ts'

/**
 * The price of a covered offering is multiplied by this, so that it is practically free. Among covered types, the engine still prefers the
 * one with the lowest price.
 */
const SHARE_OF_PRICE = 1e-9
/** Returns the full price of an offering, given its price in the list of covered types. */
export const fullPrice = (price: number): number => price / SHARE_OF_PRICE

/** The maximum number of lists of covered types that are cached for one list of instance types. A policy has at most 200 commitments. */
const MOST_KEPT = 400

/**
 * Returns the name of a resource that only the covered instance types have. The commitment limits this resource, and thus how many of these
 * types are launched.
 */
export const commitmentResource = (name: string): string => `kerf.sh/commitment/${name}`

/** A NodePool with only the instance types that a commitment covers. */
export interface PrepaidOption extends PoolOption {
  readonly commitment: string
}

const unitTexts = new WeakMap<Amounts, string>()

/** Returns a key that is equal for equal units. */
const unitsText = (units: Amounts): string => {
  let text = unitTexts.get(units)
  if (text === undefined) {
    text = [...units].join()
    unitTexts.set(units, text)
  }
  return text
}

const known = new WeakMap<readonly InstanceType[], Map<string, readonly InstanceType[]>>()
const knownPools = new WeakMap<NodePool, Map<string, NodePool>>()

const hasValue = (requirements: readonly RequirementSpec[], key: string, value: string): boolean =>
  requirements.some((each) => each.key === key && each.operator === 'In' && each.values?.includes(value) === true)

/** Returns whether the requirements allow a value of a label. Requirements that do not mention the label allow every value. */
const mayHave = (requirements: readonly RequirementSpec[], key: string, value: string): boolean =>
  hasValue(requirements, key, value) || !requirements.some((each) => each.key === key && each.operator === 'In')

const coveredType = (
  type: InstanceType,
  { name, region, zone }: Commitment,
  units: bigint,
): InstanceType | undefined => {
  if (region !== undefined && !mayHave(type.requirements, labels.region, region)) return undefined
  const offerings = type.offerings.filter(
    ({ requirements }) =>
      hasValue(requirements, labels.capacityType, 'on-demand') &&
      (zone === undefined || hasValue(requirements, labels.zone, zone)),
  )
  if (offerings.length === 0) return undefined
  return {
    ...type,
    offerings: offerings.map((offering) =>
      offering.price === undefined ? offering : { ...offering, price: offering.price * SHARE_OF_PRICE },
    ),
    capacity: { ...type.capacity, [commitmentResource(name)]: units as Quantity },
  }
}

/**
 * Returns the instance types that a commitment covers, with their on-demand offerings at a price of nearly 0. Returns the same list object
 * for the same arguments, because the engine caches by identity.
 */
export const prepaidTypes = (types: readonly InstanceType[], commitment: Commitment): readonly InstanceType[] => {
  const { name, units, region, zone } = commitment
  const text = `${name}|${region ?? ''}|${zone ?? ''}|${unitsText(units)}`
  let byText = known.get(types)
  if (byText === undefined) {
    byText = new Map()
    known.set(types, byText)
  }
  let covered = byText.get(text)
  if (covered === undefined) {
    covered = types.flatMap((type) => {
      const amount = units.get(type.name)
      return amount === undefined ? [] : (coveredType(type, commitment, amount) ?? [])
    })
    if (byText.size >= MOST_KEPT) byText.clear()
    byText.set(text, covered)
  }
  return covered
}

/** Returns the NodePool with a requirement on the commitment's zone, so that no claim is launched in another zone. */
const inZone = (pool: NodePool, zone: string): NodePool => {
  const byZone = knownPools.get(pool) ?? new Map<string, NodePool>()
  knownPools.set(pool, byZone)
  let limited = byZone.get(zone)
  if (limited === undefined) {
    const { spec } = pool.spec.template
    const requirements = [...(spec.requirements ?? []), { key: labels.zone, operator: 'In' as const, values: [zone] }]
    limited = {
      ...pool,
      spec: { ...pool.spec, template: { ...pool.spec.template, spec: { ...spec, requirements } } },
    }
    byZone.set(zone, limited)
  }
  return limited
}

const prepaidOptions = ({ nodePool, instanceTypes }: PoolOption, commitment: Commitment): readonly PrepaidOption[] => {
  // An option with only a few instance types cannot satisfy minValues.
  const { requirements } = nodePool.spec.template.spec
  if (requirements?.some(({ minValues }) => minValues !== undefined) === true) return []
  const covered = prepaidTypes(instanceTypes, commitment)
  if (covered.length === 0) return []
  const pool = commitment.zone === undefined ? nodePool : inZone(nodePool, commitment.zone)
  return [{ nodePool: pool, instanceTypes: covered, commitment: commitment.name }]
}

const weight = ({ nodePool }: PoolOption): number => nodePool.spec.weight ?? 0

/**
 * Returns the NodePools in the order in which they are tried. Among NodePools of equal weight, those that are restricted to
 * a commitment's instance types come first, in the order of the commitments.
 */
export const withPrepaidOptions = (
  usable: readonly PoolOption[],
  commitments: readonly Commitment[] = [],
): readonly (PoolOption | PrepaidOption)[] =>
  commitments.length === 0
    ? usable
    : [...Map.groupBy(usable, weight).values()].flatMap((equal) => [
        ...commitments.flatMap((commitment) => equal.flatMap((option) => prepaidOptions(option, commitment))),
        ...equal,
      ])
