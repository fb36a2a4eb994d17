import { type Device, ProblemError, parseQuantity, type ResourceSlice } from '@kerf/apis'
import type { LabelRules } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'
import { type DeviceAccess, listOrEmpty, type PooledDevice, pooledDevice, readNodeTerms } from './device.ts'

/** The devices that one driver publishes under one pool name, in the newest generation. */
export interface DevicePool {
  /** `driver/pool` */
  readonly key: string
  readonly devices: readonly PooledDevice[]
  /** Whether slices are missing. If so, no request may use devices of the pool. */
  readonly isIncomplete: boolean
  /** The reason why the pool is invalid; `undefined` if it is valid. */
  readonly problem: string | undefined
  /** The access rules of the slices. A node can use the pool if it can use at least one slice. */
  readonly access: readonly DeviceAccess[]
  /** The Nodes that own slices of the pool. */
  readonly owners: ReadonlySet<string>
}

const EVERYWHERE: DeviceAccess = { kind: 'everywhere' }

const deviceAccess = (
  { nodeName, nodeSelector }: Pick<Device, 'nodeName' | 'nodeSelector'>,
  rules: LabelRules,
): DeviceAccess => {
  if (nodeName !== undefined && nodeName !== '') return { kind: 'node', node: nodeName }
  if (nodeSelector !== undefined) return { kind: 'selector', terms: readNodeTerms(nodeSelector, rules) }
  return EVERYWHERE
}

/** Returns the name of the Node that owns a slice, if there is one. */
const owningNode = ({ metadata }: ResourceSlice): string | undefined =>
  listOrEmpty(metadata.ownerReferences).find((owner) => owner?.apiVersion === 'v1' && owner.kind === 'Node')?.name

/** Returns the totals of the counter sets of some slices by `set/counter`. @throws Error if a set occurs twice */
export const sumCounters = (
  slices: readonly Pick<ResourceSlice['spec'], 'sharedCounters'>[],
): ReadonlyMap<string, bigint> => {
  const totals = new Map<string, bigint>()
  const sets = new Set<string>()
  for (const { sharedCounters = [] } of slices) {
    for (const { name, counters } of sharedCounters) {
      if (sets.has(name)) throw new ProblemError(`counter set ${name} is defined twice`)
      sets.add(name)
      for (const [counter, { value }] of Object.entries(counters))
        totals.set(`${name}/${counter}`, parseQuantity(value))
    }
  }
  return totals
}

const readPool = (key: string, slices: readonly ResourceSlice[], rules: LabelRules): DevicePool => {
  const newest = Math.max(...slices.map(({ spec }) => spec.pool.generation ?? 0))
  const current = slices
    .filter(({ spec }) => (spec.pool.generation ?? 0) === newest)
    .sort((a, b) => byText(a.metadata.name, b.metadata.name))
  const devices: PooledDevice[] = []
  const access: DeviceAccess[] = []
  let problem: string | undefined
  try {
    for (const { spec } of current) {
      if (spec.perDeviceNodeSelection !== true) access.push(deviceAccess(spec, rules))
      else for (const device of spec.devices ?? []) access.push(deviceAccess(device, rules))
    }
    devices.push(...sliceDevices(current, rules))
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  return {
    key,
    devices,
    isIncomplete: current.length !== (current[0]?.spec.pool.resourceSliceCount ?? 1),
    problem,
    access,
    owners: new Set(current.flatMap((slice) => owningNode(slice) ?? [])),
  }
}

/** Returns the devices of a pool. @throws Error if the pool is invalid */
const sliceDevices = (slices: readonly ResourceSlice[], rules: LabelRules): readonly PooledDevice[] => {
  // Counters belong to the whole pool, even if a node can use only some of its slices.
  const counters = sumCounters(slices.map(({ spec }) => spec))
  const names = new Set<string>()
  return slices.flatMap(({ spec }) => {
    const { driver, pool, perDeviceNodeSelection } = spec
    const ofSlice = deviceAccess(spec, rules)
    return (spec.devices ?? []).map((device) => {
      if (names.has(device.name)) throw new ProblemError(`device ${device.name} is defined twice`)
      names.add(device.name)
      const own = perDeviceNodeSelection === true ? deviceAccess(device, rules) : ofSlice
      return pooledDevice(device, { driver, pool: pool.name, isTemplate: false, access: own, counters })
    })
  })
}

/** Returns whether an object is a ResourceSlice. Files may contain any objects, so objects of other kinds are ignored. */
const isSlice = (slice: ResourceSlice): boolean =>
  typeof slice?.spec?.driver === 'string' &&
  typeof slice.spec.pool?.name === 'string' &&
  typeof slice.metadata === 'object' &&
  slice.metadata !== null

/** The devices that drivers have published, grouped by the nodes that may use them. */
export class DevicePools {
  /** The devices of all valid pools, by key. */
  readonly devices = new Map<string, PooledDevice>()
  readonly #byNode = new Map<string, DevicePool[]>()
  /** Pools that are not limited to one node. */
  readonly #shared: DevicePool[] = []

  /** `isKnown` returns whether to use the slices of a Node, by the Node's name. Slices that belong to other Nodes are ignored. */
  constructor(slices: readonly ResourceSlice[], isKnown: (node: string) => boolean, rules: LabelRules) {
    const byKey = new Map<string, ResourceSlice[]>()
    for (const slice of slices) {
      if (!isSlice(slice)) continue
      const owner = owningNode(slice)
      if (owner !== undefined && !isKnown(owner)) continue
      const key = `${slice.spec.driver}/${slice.spec.pool.name}`
      const same = byKey.get(key)
      if (same === undefined) byKey.set(key, [slice])
      else same.push(slice)
    }
    for (const [key, own] of [...byKey].sort(([a], [b]) => byText(a, b))) this.#add(readPool(key, own, rules))
  }

  #add(pool: DevicePool): void {
    for (const device of pool.devices) this.devices.set(device.key, device)
    const nodes = new Set<string>()
    for (const access of pool.access) {
      if (access.kind !== 'node') {
        this.#shared.push(pool)
        return
      }
      nodes.add(access.node)
    }
    for (const node of nodes) {
      const same = this.#byNode.get(node)
      if (same === undefined) this.#byNode.set(node, [pool])
      else same.push(pool)
    }
  }

  /** Whether a published device may be used on a node that does not exist yet. */
  get reachesNewNodes(): boolean {
    return this.#shared.length > 0
  }

  /**
   * Returns the pools that may have a device for a node: its own pools, then the shared ones. Pass `undefined` for a node that does not
   * exist yet.
   */
  near(node: string | undefined): readonly DevicePool[] {
    const own = node === undefined ? undefined : this.#byNode.get(node)
    return own === undefined ? this.#shared : [...own, ...this.#shared]
  }
}
