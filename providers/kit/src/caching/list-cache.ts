import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { SingleFlight } from './single-flight.ts'

export interface ListCacheOptions<T> {
  readonly clock: Clock
  /** All there are. A listing that is not whole must fail (`docs/spec/provider-contract.md#r16`). */
  readonly list: (signal: AbortSignal) => Promise<readonly T[]>
  readonly idOf: (item: T) => string
  /** When it was made; `item` as it was last seen, if ever. Nothing when nobody knows. */
  readonly createdAt: (id: string, item: T | undefined) => Milliseconds | undefined
  /** How old one must be before an answer without it means that it is gone (`docs/spec/provider-contract.md#r15`). */
  readonly settledAfter: Milliseconds
  /** Whether the cloud cannot answer for it now, as when its zone is away: it is not gone because a listing lacks it. */
  readonly isUnanswered?: (item: T) => boolean
}

/**
 * What a cloud has of one kind, as it was last seen: in a listing, alone, or as it was made. An item is forgotten when
 * a listing lacks it, unless it is young or cannot be answered for. What was learnt of one item while a listing was under
 * way is newer than the listing.
 */
export class ListCache<T> {
  readonly #options: ListCacheOptions<T>
  readonly #known = new Map<string, T>()
  readonly #first = new SingleFlight<void>()
  /** How often something was learnt of one item, or a listing began. */
  #generation = 0
  /** Of what was learnt of one item while a listing was under way: in which generation. */
  readonly #learnt = new Map<string, number>()
  #underWay = 0
  /** In which generation the listing began that is remembered; nothing before the first. */
  #listed: number | undefined

  constructor(options: ListCacheOptions<T>) {
    this.#options = options
  }

  /** As it was last seen. */
  get(id: string): T | undefined {
    return this.#known.get(id)
  }

  /** It was seen, or changed, just now. */
  set(item: T): void {
    const id = this.#options.idOf(item)
    this.#known.set(id, item)
    this.#note(id)
  }

  /** It is gone. */
  forget(id: string): void {
    this.#known.delete(id)
    this.#note(id)
  }

  /** Whether it is too young for an answer without it to mean anything. */
  isYoung(id: string): boolean {
    const { clock, createdAt, settledAfter } = this.#options
    const created = createdAt(id, this.#known.get(id))
    return created !== undefined && clock.now() - created < settledAfter
  }

  /** All there are now, and those that cannot be answered for as they were last seen. */
  async list(signal: AbortSignal): Promise<readonly T[]> {
    const { list, idOf, isUnanswered = () => false } = this.#options
    const begun = ++this.#generation
    this.#underWay++
    try {
      const items = await list(signal)
      const seen = new Set(items.map(idOf))
      const leftOut = [...this.#known].filter(([id]) => !seen.has(id))
      const unanswered = leftOut.filter(([, item]) => isUnanswered(item))
      // A listing that began later has ended already: this one tells nothing new.
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
   * Until there was a listing nothing is known of what an earlier run made: lists once for all who ask meanwhile, where
   * each asking for one item would be as many calls as there are items. A listing that fails is tried again by the next.
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
