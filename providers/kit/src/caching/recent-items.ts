import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/**
 * Merges repeated responses of a cloud that should list the same items. Because a response may be incomplete, a missing item is kept until
 * `keptFor` has passed since the last response that contained it.
 */
export class RecentItems<T> {
  readonly #clock: Clock
  readonly #keptFor: Milliseconds
  readonly #seen = new Map<string, { readonly item: T; readonly at: Milliseconds }>()

  constructor(clock: Clock, options: { readonly keptFor: Milliseconds }) {
    this.#clock = clock
    this.#keptFor = options.keptFor
  }

  /**
   * Returns the items of the response, and those items of earlier responses that have not expired. Two items with the same key are the same
   * item.
   */
  merge(answer: readonly T[], keyOf: (item: T) => string): readonly T[] {
    const now = this.#clock.monotonic()
    for (const item of answer) this.#seen.set(keyOf(item), { item, at: now })
    for (const [key, { at }] of this.#seen) if (now - at >= this.#keptFor && at !== now) this.#seen.delete(key)
    return [...this.#seen.values()].map(({ item }) => item)
  }
}
