import type { DeviceAttribute } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { PooledDevice } from './device.ts'
import type { TemplateDevices } from './device-templates.ts'

/** Returns an attribute value as a string. Two values of the same type are equal if and only if their strings are equal. */
const valueText = ({ bool, int, string, version }: DeviceAttribute): string =>
  bool !== undefined
    ? `bool ${bool}`
    : int !== undefined
      ? `int ${int}`
      : string !== undefined
        ? `string ${string}`
        : `version ${version}`

/** Returns a device's value for an attribute. The driver's own attributes may be written without their domain. */
const attributeText = ({ attributes, driver }: PooledDevice, attribute: string): string | undefined => {
  const exact = ownValue(attributes, attribute)
  if (exact !== undefined) return valueText(exact)
  const slash = attribute.indexOf('/')
  if (attribute.slice(0, Math.max(0, slash)) !== driver) return undefined
  const own = ownValue(attributes, attribute.slice(slash + 1))
  return own === undefined ? undefined : valueText(own)
}

/**
 * Tracks a `matchAttribute` constraint (all devices of the given requests share one attribute value) while the allocator tries devices one
 * at a time. The first device decides how the other devices are compared: by value, or, if that device has no value yet, by the bindings of
 * the instance type. The two comparisons never mix. The allocator backtracks, so devices are removed in reverse order.
 */
export class MatchAttribute {
  readonly attribute: string
  readonly #requests: ReadonlySet<string>
  #value: string | undefined
  readonly #devices: PooledDevice[] = []

  /** `requests` contains names of requests and `request/sub-request`. If it is empty, it means all requests. */
  constructor(attribute: string, requests: readonly string[]) {
    this.attribute = attribute
    this.#requests = new Set(requests)
  }

  /** Returns whether the devices of a request are compared. `alternative` is `request/sub-request`. */
  appliesTo(request: string, alternative: string): boolean {
    return this.#requests.size === 0 || this.#requests.has(request) || this.#requests.has(alternative)
  }

  add(device: PooledDevice, promises: TemplateDevices): boolean {
    const value = attributeText(device, this.attribute)
    const [first] = this.#devices
    if (first === undefined) {
      if (value === undefined && !promises.areBound(this.attribute, device.key, device.key)) return false
      this.#value = value
    } else if (value !== this.#value) return false
    else if (value === undefined && !promises.areBound(this.attribute, first.key, device.key)) return false
    this.#devices.push(device)
    return true
  }

  removeLast(): void {
    this.#devices.pop()
    if (this.#devices.length === 0) this.#value = undefined
  }
}
