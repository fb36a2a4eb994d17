import type { HostId } from '../model/ids.ts'
import type { ResourceUse } from './device.ts'

type ByType = Map<string, bigint>

/**
 * What is taken of devices, capacities and counters: by claims that are allocated already, and by targets (nodes, and
 * claims to launch) of this decision. A claim to launch is one of several types in the end, so of what its types take the
 * largest counts for everybody else, and for a type only what it takes itself.
 */
export class Ledger {
  readonly #base: ReadonlyMap<string, bigint>
  readonly #given: ReadonlyMap<string, bigint>
  readonly #taken = new Map<string, Map<HostId, ByType>>()

  /** `base`: what is taken from the start; `given`: what of that is free again. */
  constructor(base: ReadonlyMap<string, bigint>, given: ReadonlyMap<string, bigint> = new Map()) {
    this.#base = base
    this.#given = given
  }

  /** What is not there for `target` should it become `type`. */
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

  /** Gives back what a target holds for a type it will not become; whether that freed anything for others. */
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
