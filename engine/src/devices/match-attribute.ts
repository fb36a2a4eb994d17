import type { DeviceAttribute } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { PooledDevice } from './device.ts'
import type { TemplateDevices } from './device-templates.ts'

/** Equal texts mean equal values of equal types. */
const valueText = ({ bool, int, string, version }: DeviceAttribute): string =>
  bool !== undefined
    ? `bool ${bool}`
    : int !== undefined
      ? `int ${int}`
      : string !== undefined
        ? `string ${string}`
        : `version ${version}`

/** A device's value of an attribute; the driver's own attributes may be written without their domain. */
const textOf = ({ attributes, driver }: PooledDevice, attribute: string): string | undefined => {
  const exact = ownValue(attributes, attribute)
  if (exact !== undefined) return valueText(exact)
  const slash = attribute.indexOf('/')
  if (attribute.slice(0, Math.max(0, slash)) !== driver) return undefined
  const own = ownValue(attributes, attribute.slice(slash + 1))
  return own === undefined ? undefined : valueText(own)
}

/**
 * "All devices of these requests have the same value of this attribute", while devices are tried one after the other. The
 * first decides how the others are compared: by value, or, if it has none yet, by what the type says will be equal. The
 * two ways never mix. Devices leave in the opposite order of coming.
 */
export class MatchAttribute {
  readonly attribute: string
  readonly #requests: ReadonlySet<string>
  #value: string | undefined
  readonly #devices: PooledDevice[] = []

  /** `requests`: names of requests and `request/sub-request`; none means all. */
  constructor(attribute: string, requests: readonly string[]) {
    this.attribute = attribute
    this.#requests = new Set(requests)
  }

  /** Whether devices of a request, taken by the way `request/sub-request`, are compared. */
  appliesTo(request: string, alternative: string): boolean {
    return this.#requests.size === 0 || this.#requests.has(request) || this.#requests.has(alternative)
  }

  add(device: PooledDevice, promises: TemplateDevices): boolean {
    const value = textOf(device, this.attribute)
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
