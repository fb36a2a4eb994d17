import type { HostId } from '../model/ids.ts'
import type { ResourceUse } from './device.ts'

type ByType = Map<string, bigint>

/**
 * Tracks the amounts of devices, capacities and counters that are taken by allocated claims and by the targets of this decision (nodes and
 * claims to launch). A claim to launch may become one of several instance types. When devices for another target are searched, the largest
 * amount among these types is taken. When devices for the claim itself are searched, only the amount of the type in question is taken.
 */
export class DeviceUsage {
  readonly #base: ReadonlyMap<string, bigint>
  readonly #given: ReadonlyMap<string, bigint>
  readonly #taken = new Map<string, Map<HostId, ByType>>()

  /** `base` contains the amounts that are taken at the start. `given` contains the part of each amount that is released. */
  constructor(base: ReadonlyMap<string, bigint>, given: ReadonlyMap<string, bigint> = new Map()) {
    this.#base = base
    this.#given = given
  }

  /** Returns the amount of a resource that is not available to `target` if its instance type is `type`. */
  used(resource: string, target: HostId, type: string): bigint {
    let sum = (this.#base.get(resource) ?? 0n) - (this.#given.get(resource) ?? 0n)
    for (const [holder, byType] of this.#taken.get(resource) ?? []) {
      if (holder === target) sum += byType.get(type) ?? 0n
      else {
        let most = 0n
        for (const amount of byType.values()) if (amount > most) most = amount
        sum += most
      }
    }
    return sum
  }

  take(target: HostId, type: string, uses: Iterable<ResourceUse>): void {
    for (const { resource, amount } of uses) {
      let byTarget = this.#taken.get(resource)
      if (byTarget === undefined) {
        byTarget = new Map()
        this.#taken.set(resource, byTarget)
      }
      let byType = byTarget.get(target)
      if (byType === undefined) {
        byType = new Map()
        byTarget.set(target, byType)
      }
      byType.set(type, (byType.get(type) ?? 0n) + amount)
    }
  }

  /** Releases the amounts that a target has taken for an instance type that it will not have. Returns whether anything was released. */
  release(target: HostId, type: string): boolean {
    let hasFreed = false
    for (const byTarget of this.#taken.values()) {
      const byType = byTarget.get(target)
      if (byType?.delete(type) !== true) continue
      hasFreed = true
      if (byType.size === 0) byTarget.delete(target)
    }
    return hasFreed
  }
}
