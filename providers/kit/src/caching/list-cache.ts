import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { SingleFlight } from './single-flight.ts'

export interface ListCacheOptions<T> {
  readonly clock: Clock
  /** Lists all items. A listing that is incomplete must fail (`docs/spec/provider-contract.md#r16`). */
  readonly list: (signal: AbortSignal) => Promise<readonly T[]>
  readonly idOf: (item: T) => string
  /** Returns when the item was created, or undefined if unknown. `item` is the item as it was last seen, if it was seen. */
  readonly createdAt: (id: string, item: T | undefined) => Milliseconds | undefined
  /** The age from which an item counts as gone if an answer does not contain it (`docs/spec/provider-contract.md#r15`). */
  readonly settledAfter: Milliseconds
  /**
   * Whether the cloud cannot report the item now, for example because its zone is unavailable. Such an item is kept although a
   * listing does not contain it.
   */
  readonly isUnanswered?: (item: T) => boolean
}

/**
 * The items of one kind in the cloud, as they were last listed, read or created. An item that a listing does not contain is
 * dropped, unless it is young or the cloud cannot report it. An item that was read during a listing takes precedence over that
 * listing.
 */
export class ListCache<T> {
  readonly #options: ListCacheOptions<T>
  readonly #known = new Map<string, T>()
  readonly #first = new SingleFlight<void>()
  /** Counts the starts of listings and the updates of single items. */
  #generation = 0
  /** The generation of each single update that happened during a listing, by id. */
  readonly #learnt = new Map<string, number>()
  #underWay = 0
  /** The generation at which the cached listing began. Undefined before the first listing. */
  #listed: number | undefined

  constructor(options: ListCacheOptions<T>) {
    this.#options = options
  }

  /** Returns the item as it was last seen. */
  get(id: string): T | undefined {
    return this.#known.get(id)
  }

  /** Stores an item that was just read or changed. */
  set(item: T): void {
    const id = this.#options.idOf(item)
    this.#known.set(id, item)
    this.#note(id)
  }

  /** Removes an item that is gone. */
  forget(id: string): void {
    this.#known.delete(id)
    this.#note(id)
  }

  /** Returns true if the item is so young that an answer without it does not mean that it is gone. */
  isYoung(id: string): boolean {
    const { clock, createdAt, settledAfter } = this.#options
    const created = createdAt(id, this.#known.get(id))
    return created !== undefined && clock.now() - created < settledAfter
  }

  /** Lists all items. Items that the cloud cannot report are included as they were last seen. */
  async list(signal: AbortSignal): Promise<readonly T[]> {
    const { list, idOf, isUnanswered = () => false } = this.#options
    const begun = ++this.#generation
    this.#underWay++
    try {
      const items = await list(signal)
      const seen = new Set(items.map(idOf))
      const leftOut = [...this.#known].filter(([id]) => !seen.has(id))
      const unanswered = leftOut.filter(([, item]) => isUnanswered(item))
      // A listing that began later has already ended, so this listing is outdated.
      const isOutdated = begun < (this.#listed ?? 0)
      const isNewer = (id: string): boolean => isOutdated || (this.#learnt.get(id) ?? 0) > begun
      for (const [id, item] of leftOut)
        if (!isUnanswered(item) && !this.isYoung(id) && !isNewer(id)) this.#known.delete(id)
      for (const item of items) if (!isNewer(idOf(item))) this.#known.set(idOf(item), item)
      if (!isOutdated) this.#listed = begun
      return [...items, ...unanswered.map(([, item]) => item)]
    } finally {
      this.#underWay--
      if (this.#underWay === 0) this.#learnt.clear()
    }
  }

  /**
   * Lists once if no listing has succeeded yet, shared by concurrent callers. Before the first listing, items of an earlier run
   * are unknown, and reading them one by one would take one call per item. If the listing fails, the next caller tries again.
   */
  async ensureListed(signal: AbortSignal): Promise<void> {
    if (this.#listed !== undefined) return
    const listing = async (inner: AbortSignal): Promise<void> => {
      await this.list(inner).catch(() => undefined)
    }
    await this.#first.run('', listing, signal)
  }

  #note(id: string): void {
    this.#generation++
    if (this.#underWay > 0) this.#learnt.set(id, this.#generation)
  }
}
