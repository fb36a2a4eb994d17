import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/** Something that a fake cloud has until it ends. */
export interface Ending {
  /** On the monotonic clock; absent while nobody has ended it. From then on it is gone. */
  readonly endsAt?: Milliseconds | undefined
}

/** The instances of a fake cloud by id: running, ending, gone, and after a while forgotten. */
export class Inventory<T extends Ending> extends Map<string, T> {
  readonly #clock: Clock
  readonly #visibleFor: Milliseconds

  /** @param options.visibleFor how long the cloud still tells of what is gone. */
  constructor(clock: Clock, options: { readonly visibleFor: Milliseconds }) {
    super()
    this.#clock = clock
    this.#visibleFor = options.visibleFor
  }

  stateOf({ endsAt }: Ending): 'running' | 'ending' | 'gone' {
    if (endsAt === undefined) return 'running'
    return endsAt <= this.#clock.monotonic() ? 'gone' : 'ending'
  }

  /** All that the cloud tells of, also what is gone. */
  visible(): readonly T[] {
    const now = this.#clock.monotonic()
    for (const [id, { endsAt }] of this) if (endsAt !== undefined && endsAt + this.#visibleFor <= now) this.delete(id)
    return [...this.values()]
  }

  /** All that is not gone, also what is ending. */
  living(): readonly T[] {
    return this.visible().filter((item) => this.stateOf(item) !== 'gone')
  }
}
