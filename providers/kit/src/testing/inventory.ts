import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** An object of a fake cloud that takes some time to terminate. */
export interface Ending {
  /** The monotonic time at which the object will be gone. Absent until its termination begins. */
  readonly endsAt?: Milliseconds | undefined
}

/** The instances of a fake cloud by id. A terminated instance remains listed for some time before it is removed. */
export class Inventory<T extends Ending> extends Map<string, T> {
  readonly #clock: Clock
  readonly #visibleFor: Milliseconds

  /** @param options.visibleFor how long the cloud lists an instance that is gone. */
  constructor(clock: Clock, options: { readonly visibleFor: Milliseconds }) {
    super()
    this.#clock = clock
    this.#visibleFor = options.visibleFor
  }

  stateOf({ endsAt }: Ending): 'running' | 'ending' | 'gone' {
    if (endsAt === undefined) return 'running'
    return endsAt <= this.#clock.monotonic() ? 'gone' : 'ending'
  }

  /** Returns all instances that the cloud lists. Includes instances that are gone but still listed. */
  visible(): readonly T[] {
    const now = this.#clock.monotonic()
    for (const [id, { endsAt }] of this) if (endsAt !== undefined && endsAt + this.#visibleFor <= now) this.delete(id)
    return [...this.values()]
  }

  /** Returns all instances that are not gone. Includes instances that are terminating. */
  living(): readonly T[] {
    return this.visible().filter((item) => this.stateOf(item) !== 'gone')
  }
}
