import {
  type CapacityRequestPolicy,
  type Device,
  type DeviceAttribute,
  type DeviceValue,
  deviceValue,
  type NodeSelector,
  ProblemError,
  parseQuantity,
} from '@kerf/apis'
import type { NodeTerm } from '../model/device-claims.ts'
import type { LabelRules } from '../requirements/label-rules.ts'

/** The nodes on which a device can be used. */
export type DeviceAccess =
  | { readonly kind: 'everywhere' }
  | { readonly kind: 'node'; readonly node: string }
  /** Nodes that match at least one of the node selector's terms. */
  | { readonly kind: 'selector'; readonly terms: readonly NodeTerm[] }

export interface CapacityDimension {
  readonly value: bigint
  readonly policy: CapacityRequestPolicy | undefined
}

/** An amount of something that several allocations share: a counter, a dimension of capacity, or a whole device. */
export interface ResourceUse {
  readonly resource: string
  readonly amount: bigint
  readonly total: bigint
}

/** A published or promised device, prepared for the search. */
export interface PooledDevice {
  /** `driver/pool/name` */
  readonly key: string
  /** Identifies the device. Unlike `key`, it differs between a published and a promised device. */
  readonly id: string
  readonly driver: string
  readonly pool: string
  readonly name: string
  readonly attributes: Readonly<Record<string, DeviceAttribute>>
  readonly capacity: ReadonlyMap<string, CapacityDimension>
  readonly taints: NonNullable<Device['taints']>
  /** Whether the device may be allocated to several claims, up to its capacity. */
  readonly isShared: boolean
  readonly isTemplate: boolean
  readonly access: DeviceAccess
  /** The amounts that every allocation of the device consumes: its counters and, if it is not shared, the whole device. */
  readonly uses: readonly ResourceUse[]
  /** The device as a value for CEL expressions. */
  readonly value: DeviceValue
}

export interface DevicePlace {
  readonly driver: string
  readonly pool: string
  readonly isTemplate: boolean
  readonly access: DeviceAccess
  /** Totals by `set/counter`. */
  readonly counters: ReadonlyMap<string, bigint>
}

export const deviceKey = (driver: string, pool: string, name: string): string => `${driver}/${pool}/${name}`

export const capacityResource = (id: string, dimension: string): string => `capacity ${id} ${dimension}`

/** Returns the list, or an empty list if the value is not a list. Files may contain anything. */
export const listOrEmpty = <T>(list: readonly T[] | undefined): readonly T[] => (Array.isArray(list) ? list : [])

export const wholeDevice = (id: string): ResourceUse => ({ resource: `device ${id}`, amount: 1n, total: 1n })

/** Prepares a device for the search. @throws Error if a quantity is invalid, or if the pool does not have a counter */
export const pooledDevice = (device: Device, place: DevicePlace): PooledDevice => {
  const { driver, pool, isTemplate, access, counters } = place
  const key = deviceKey(driver, pool, device.name)
  const prefix = isTemplate ? 'promised ' : ''
  const isShared = device.allowMultipleAllocations === true
  const uses: ResourceUse[] = isShared ? [] : [wholeDevice(prefix + key)]
  for (const { counterSet, counters: wanted } of device.consumesCounters ?? []) {
    for (const [name, { value }] of Object.entries(wanted)) {
      const total = counters.get(`${counterSet}/${name}`)
      if (total === undefined)
        throw new ProblemError(`device ${device.name} consumes the unknown counter ${counterSet}/${name}`)
      uses.push({
        resource: `counter ${prefix}${driver}/${pool}/${counterSet}/${name}`,
        amount: parseQuantity(value),
        total,
      })
    }
  }
  return {
    key,
    id: prefix + key,
    driver,
    pool,
    name: device.name,
    attributes: device.attributes ?? {},
    capacity: new Map(
      Object.entries(device.capacity ?? {}).map(([name, { value, requestPolicy }]) => [
        name,
        { value: parseQuantity(value), policy: requestPolicy },
      ]),
    ),
    taints: device.taints ?? [],
    isShared,
    isTemplate,
    access,
    uses,
    value: deviceValue(driver, device),
  }
}

/** Returns the alternatives of a node selector. Leaves out an alternative that cannot be read, because it matches nothing. */
export const readNodeTerms = (selector: NodeSelector, rules: LabelRules): readonly NodeTerm[] =>
  (selector.nodeSelectorTerms ?? []).flatMap(({ matchExpressions = [], matchFields = [] }): readonly NodeTerm[] => {
    let isReadable = true
    const requirements = rules.requirements(matchExpressions, () => {
      isReadable = false
    })
    let nodes: ReadonlySet<string> | undefined
    for (const { key, operator, values = [] } of matchFields) {
      if (key !== 'metadata.name' || operator !== 'In') return []
      nodes = nodes === undefined ? new Set(values) : new Set(values.filter((name) => nodes?.has(name)))
    }
    return isReadable ? [{ requirements, nodes }] : []
  })
