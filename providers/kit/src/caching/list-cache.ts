import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { SingleFlight } from './single-flight.ts'

export interface ListCacheOptions<T> {
  readonly clock: Clock
  /** Lists all items. If a listing cannot be complete, it must fail (`docs/spec/provider-contract.md#r16`). */
  readonly list: (signal: AbortSignal) => Promise<readonly T[]>
  readonly idOf: (item: T) => string
  /**
   * Returns when the item was created, or undefined if this is unknown. `item` is the last known state of the item. It is undefined if the
   * item was never seen.
   */
  readonly createdAt: (id: string, item: T | undefined) => Milliseconds | undefined
  /** The age from which an item that is missing in a response counts as gone (`docs/spec/provider-contract.md#r15`). */
  readonly settledAfter: Milliseconds
  /**
   * Returns whether the cloud currently cannot report the item, for example because its zone is unavailable. Such an item is kept even if
   * it is missing in a listing.
   */
  readonly isUnanswered?: (item: T) => boolean
}

/**
 * The items of one kind in the cloud, in the state in which they were last listed, read or created. An item that is missing in a listing is
 * removed, unless it is young or the cloud currently cannot report it. If an item is read during a listing, the result of the read takes
 * precedence over the result of the listing.
 */
export class ListCache<T> {
  readonly #options: ListCacheOptions<T>
  readonly #known = new Map<string, T>()
  readonly #first = new SingleFlight<void>()
  /** A counter that increases when a listing starts and when a single item is updated. */
  #generation = 0
  /** The generation of the last update of each item that was updated during a listing. */
  readonly #learnt = new Map<string, number>()
  #underWay = 0
  /** The generation at the start of the latest listing. Undefined before the first listing. */
  #listed: number | undefined

  constructor(options: ListCacheOptions<T>) {
    this.#options = options
  }

  /** Returns the last known state of the item. */
  get(id: string): T | undefined {
    return this.#known.get(id)
  }

  /** Stores an item that was just read or changed. */
  set(item: T): void {
    const id = this.#options.idOf(item)
    this.#known.set(id, item)
    this.#note(id)
  }

  /** Removes an item that no longer exists in the cloud. */
  forget(id: string): void {
    this.#known.delete(id)
    this.#note(id)
  }

  /** Returns whether the item is so young that it may exist even if a response does not contain it. */
  isYoung(id: string): boolean {
    const { clock, createdAt, settledAfter } = this.#options
    const created = createdAt(id, this.#known.get(id))
    return created !== undefined && clock.now() - created < settledAfter
  }

  /** Lists all items. Items that the cloud currently cannot report are included in their last known state. */
  async list(signal: AbortSignal): Promise<readonly T[]> {
    const { list, idOf, isUnanswered = () => false } = this.#options
    const begun = ++this.#generation
    this.#underWay++
    try {
      const items = await list(signal)
      const seen = new Set(items.map(idOf))
      const leftOut = [...this.#known].filter(([id]) => !seen.has(id))
      const unanswered = leftOut.filter(([, item]) => isUnanswered(item))
      // A listing that began later has already ended, so this one is outdated.
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
   * Lists all items if no listing has succeeded yet. Concurrent callers share the listing. Without it, the items of an earlier process
   * would be unknown, and each would need a separate call. If the listing fails, the next caller tries again.
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
