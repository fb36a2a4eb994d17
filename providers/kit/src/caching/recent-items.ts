import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/**
 * Merges repeated responses of a cloud that list the same items. A response may be incomplete. So a missing item is kept until `keptFor`
 * has passed since a response last contained it.
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
   * Returns the items in the response, and the items of earlier responses that are still kept. Items with the same key are the same item.
   */
  merge(answer: readonly T[], keyOf: (item: T) => string): readonly T[] {
    const now = this.#clock.monotonic()
    for (const item of answer) this.#seen.set(keyOf(item), { item, at: now })
    for (const [key, { at }] of this.#seen) if (now - at >= this.#keptFor && at !== now) this.#seen.delete(key)
    return [...this.#seen.values()].map(({ item }) => item)
  }
}
