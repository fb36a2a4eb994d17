import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'

/**
 * The items of a list that a cloud answers again and again. An answer may be short, so that an item that it leaves out is kept
 * until no answer has named it for `keptFor`.
 */
export class RecentItems<T> {
  readonly #clock: Clock
  readonly #keptFor: Milliseconds
  readonly #seen = new Map<string, { readonly item: T; readonly at: Milliseconds }>()

  constructor(clock: Clock, options: { readonly keptFor: Milliseconds }) {
    this.#clock = clock
    this.#keptFor = options.keptFor
  }

  /** Returns the items of the answer, and those of earlier answers that are kept. Items of one key are the same item. */
  merge(answer: readonly T[], keyOf: (item: T) => string): readonly T[] {
    const now = this.#clock.monotonic()
    for (const item of answer) this.#seen.set(keyOf(item), { item, at: now })
    for (const [key, { at }] of this.#seen) if (now - at >= this.#keptFor && at !== now) this.#seen.delete(key)
    return [...this.#seen.values()].map(({ item }) => item)
  }
}
