import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { Usage } from '../api/compute-shapes.ts'
import type { VmSize } from '../sizes/vm-size.ts'

/** Kerf ignores a quota older than this. */
const OUTDATED_AFTER: Milliseconds = 15 * 60_000

/**
 * The number of cores of each family that the subscription can still use in the location
 * (`providers/azure/docs/spec/azure.md#quota-provider`). If a quota is unknown, no size counts as unavailable. Family quotas do not apply
 * to spot.
 */
export class CoreQuotas {
  readonly #clock: Clock
  #left: ReadonlyMap<string, number> = new Map()
  #readAt: Milliseconds
  #sequence = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#readAt = clock.monotonic()
  }

  /** A number that changes whenever a result of `hasCapacityFor` may have changed. */
  get sequence(): number {
    this.#expire()
    return this.#sequence
  }

  /** Stores a new answer of Azure. */
  update(usages: readonly Usage[]): void {
    const left = new Map<string, number>()
    for (const { name, currentValue, limit } of usages)
      if (name.value !== undefined && currentValue !== undefined && limit !== undefined)
        left.set(name.value.toLowerCase(), limit - currentValue)
    this.#readAt = this.#clock.monotonic()
    this.#replace(left)
  }

  /** Returns true if the quota of the size's family allows one more VM. */
  hasCapacityFor({ quotaFamily, vcpus }: Pick<VmSize, 'quotaFamily' | 'vcpus'>): boolean {
    this.#expire()
    const left = this.#left.get(quotaFamily.toLowerCase())
    return left === undefined || vcpus <= left
  }

  #expire(): void {
    if (this.#left.size > 0 && this.#clock.monotonic() - this.#readAt > OUTDATED_AFTER) this.#replace(new Map())
  }

  #replace(left: ReadonlyMap<string, number>): void {
    const isSame = left.size === this.#left.size && [...left].every(([name, cores]) => this.#left.get(name) === cores)
    this.#left = left
    if (!isSame) this.#sequence++
  }
}
