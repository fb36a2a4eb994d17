import type { DynamicResources, InstanceType } from '../instance-type.ts'
import { byText } from '../requirements/requirement.ts'
import { type DeviceAccess, deviceKey, type PooledDevice, pooledDevice } from './device.ts'
import { sumCounters } from './device-pools.ts'

/** The devices that an instance type promises. */
export interface TemplateDevices {
  readonly devices: readonly PooledDevice[]
  /** Returns whether two devices (by key) will have the same value of an attribute. The value itself is not known yet. */
  areBound(attribute: string, a: string, b: string): boolean
}

const NO_DEVICES: TemplateDevices = { devices: [], areBound: () => false }
const HERE: DeviceAccess = { kind: 'everywhere' }

const known = new WeakMap<InstanceType, TemplateDevices>()

/** Returns the devices that an instance type promises. Reads them once per type, and ignores slices that cannot be read. */
export const readTemplateDevices = (type: InstanceType): TemplateDevices => {
  const { dynamicResources } = type
  if (dynamicResources === undefined) return NO_DEVICES
  let devices = known.get(type)
  if (devices === undefined) {
    devices = readTemplates(dynamicResources)
    known.set(type, devices)
  }
  return devices
}

const readTemplates = ({ resourceSliceTemplates, attributeBindings = [] }: DynamicResources): TemplateDevices => {
  const pools = Map.groupBy(resourceSliceTemplates, ({ driver, pool }) => `${driver}/${pool.name}`)
  const devices: PooledDevice[] = []
  for (const [, slices] of [...pools].sort(([a], [b]) => byText(a, b))) {
    try {
      const counters = sumCounters(slices)
      const own = slices.flatMap(({ driver, pool, devices: listed = [] }) =>
        listed.map((device) =>
          pooledDevice(device, { driver, pool: pool.name, isTemplate: true, access: HERE, counters }),
        ),
      )
      if (new Set(own.map(({ key }) => key)).size === own.length) devices.push(...own)
    } catch {
      // If the provider's slices contain an error, the engine ignores them. Pods can then use the instance type without these devices.
    }
  }
  return { devices, areBound: boundBy(attributeBindings) }
}

/** Returns the function `areBound`. Bindings are transitive: two devices that are bound to a third device are bound to each other. */
const boundBy = (bindings: NonNullable<DynamicResources['attributeBindings']>): TemplateDevices['areBound'] => {
  const groups = new Map<string, Map<string, ReadonlySet<string>>>()
  for (const { attribute, devices } of bindings) {
    const keys = devices.map(({ driver, pool, device }) => deviceKey(driver, pool, device))
    if (new Set(keys).size < 2) continue
    let byDevice = groups.get(attribute)
    if (byDevice === undefined) {
      byDevice = new Map()
      groups.set(attribute, byDevice)
    }
    const all = new Set(keys)
    for (const key of keys) for (const other of byDevice.get(key) ?? []) all.add(other)
    for (const key of all) byDevice.set(key, all)
  }
  return (attribute, a, b) => groups.get(attribute)?.get(a)?.has(b) === true
}
