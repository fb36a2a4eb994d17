import { labels as known, ownValue, parseResources } from '@kerf/apis'
import { type InstanceType, type Offering, type RequirementSpec } from '@kerf/engine'
import type { InstanceTypesByPool } from './cluster-snapshot.ts'
import type { Prices } from './prices.ts'
import { fieldsAt, objectLabel, objectName, textAt } from './read.ts'

/** Labels that describe the location or the purpose of an instance, not its type. */
const NOT_OF_THE_TYPE: ReadonlySet<string> = new Set([
  known.zone,
  known.capacityType,
  known.hostname,
  known.nodePool,
  known.region,
])
const TYPE_LABELS = /^(?:kubernetes\.io\/(?:arch|os)|node\.kubernetes\.io\/instance-type|karpenter\.[a-z0-9.-]+\/.+)$/
const ABOUT_THE_NODE = /^karpenter\.sh\//

interface Seen {
  readonly labels: Map<string, string>
  capacity: InstanceType['capacity']
  allocatable: InstanceType['capacity']
  readonly offerings: Map<string, Offering>
}

const isResources = (fields: Readonly<Record<string, unknown>>): fields is Readonly<Record<string, string>> =>
  Object.values(fields).every((value) => typeof value === 'string' || typeof value === 'number')

const read = (object: unknown, field: 'capacity' | 'allocatable'): InstanceType['capacity'] => {
  const found = fieldsAt(object, 'status', field)
  try {
    return isResources(found) ? parseResources(found) : {}
  } catch {
    return {}
  }
}

const is = (key: string, value: string): RequirementSpec => ({ key, operator: 'In', values: [value] })

/** Records the facts about an instance type that an object shows. Ignores an object without an instance type or without capacity. */
const note = (types: Map<string, Seen>, object: unknown, prices: Prices): void => {
  const name = objectLabel(object, known.instanceType)
  const zone = objectLabel(object, known.zone)
  const capacityType = objectLabel(object, known.capacityType)
  const capacity = read(object, 'capacity')
  if (name === undefined || zone === undefined || capacityType === undefined || capacity['cpu'] === undefined) return
  const seen = types.get(name) ?? { labels: new Map(), capacity, allocatable: {}, offerings: new Map() }
  types.set(name, seen)
  const allocatable = read(object, 'allocatable')
  if (Object.keys(allocatable).length > 0) seen.allocatable = allocatable
  for (const [key, value] of Object.entries(fieldsAt(object, 'metadata', 'labels'))) {
    if (NOT_OF_THE_TYPE.has(key) || !TYPE_LABELS.test(key) || ABOUT_THE_NODE.test(key)) continue
    seen.labels.set(key, String(value))
  }
  const key = `${zone}/${capacityType}`
  const price = prices.instance(object)
  if (price !== undefined || !seen.offerings.has(key)) {
    seen.offerings.set(key, {
      requirements: [is(known.zone, zone), is(known.capacityType, capacityType)],
      price,
      available: true,
    })
  }
}

const instanceTypeOf = (name: string, seen: Seen): InstanceType => {
  const values = (key: string): readonly string[] => [
    ...new Set(
      [...seen.offerings.values()].flatMap(({ requirements }) =>
        requirements.flatMap((each) => (each.key === key ? each.values ?? [] : [])),
      ),
    ),
  ]
  // Capacity minus allocatable is the reserved amount.
  const reserved = Object.fromEntries(
    Object.entries(seen.capacity).flatMap(([resource, whole]) => {
      const left = ownValue(seen.allocatable, resource)
      return left === undefined || left >= whole ? [] : [[resource, (whole - left) as typeof whole]]
    }),
  )
  return {
    name,
    requirements: [
      ...Array.from(seen.labels, ([key, value]) => is(key, value)),
      is(known.instanceType, name),
      { key: known.zone, operator: 'In', values: values(known.zone) },
      { key: known.capacityType, operator: 'In', values: values(known.capacityType) },
    ].filter((each, place, all) => all.findIndex(({ key }) => key === each.key) === place) as RequirementSpec[],
    offerings: [...seen.offerings.values()],
    capacity: seen.capacity,
    overhead: { kubeReserved: reserved },
  }
}

/**
 * Returns the instance types of existing and earlier nodes, for clusters whose controller reports none. The result contains each type of a
 * NodeClaim or Node, with the zones and capacity types in which it was seen. The provider may offer more instance types, so a pod that fits
 * none of these may still get a node. The price of a type is unknown if neither an object nor the controller's metrics have it.
 */
export const seenInstanceTypes = (
  claims: readonly unknown[],
  nodes: readonly unknown[],
  pools: readonly unknown[],
  prices: Prices,
): InstanceTypesByPool => {
  const types = new Map<string, Seen>()
  for (const object of [...nodes, ...claims]) note(types, object, prices)
  const instanceTypes = Array.from(types, ([name, seen]) => instanceTypeOf(name, seen))
  return new Map(
    pools.map((pool) => [objectName(pool), textAt(pool, 'metadata', 'name') === undefined ? [] : instanceTypes]),
  )
}
