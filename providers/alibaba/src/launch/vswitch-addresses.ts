import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import type { DescribedVSwitch } from '../api/actions.ts'

/** How long Kerf avoids a full vSwitch. */
const FULL_FOR: Milliseconds = 30_000

interface Known {
  readonly free: number
  readonly fullUntil: Milliseconds
}

/**
 * The number of free addresses of each vSwitch: the API's last number, minus the addresses of later launches. Kerf does not launch into a
 * vSwitch without free addresses.
 */
export class VSwitchAddresses {
  readonly #clock: Clock
  readonly #known = new Map<string, Known>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Stores the numbers of free addresses that the API returned. */
  learn(vSwitches: readonly DescribedVSwitch[]): void {
    for (const { VSwitchId, AvailableIpAddressCount } of vSwitches) {
      if (AvailableIpAddressCount === undefined) continue
      this.#known.set(VSwitchId, {
        free: AvailableIpAddressCount,
        fullUntil: this.#known.get(VSwitchId)?.fullUntil ?? 0,
      })
    }
  }

  /**
   * Returns the vSwitch with the most free addresses, or undefined if all are full. Assumes that a vSwitch has free addresses if the number
   * is unknown.
   */
  largest(ids: readonly string[]): string | undefined {
    const now = this.#clock.monotonic()
    const [best] = ids
      .map((id) => ({ id, free: Number.POSITIVE_INFINITY, fullUntil: 0, ...this.#known.get(id) }))
      .filter(({ free, fullUntil }) => free > 0 && fullUntil <= now)
      .toSorted((a, b) => b.free - a.free || (a.id < b.id ? -1 : 1))
    return best?.id
  }

  /** Subtracts the addresses of a launched node: one for the node itself, and the maximum number for its pods. */
  take(id: string, addresses: number): void {
    const known = this.#known.get(id)
    if (known !== undefined) this.#known.set(id, { ...known, free: known.free - addresses })
  }

  /** Marks a vSwitch as full because a launch found no free address in it. */
  markFull(id: string): void {
    this.#known.set(id, { free: this.#known.get(id)?.free ?? 1, fullUntil: this.#clock.monotonic() + FULL_FOR })
  }
}
