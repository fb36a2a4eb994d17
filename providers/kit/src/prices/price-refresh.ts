import type { Milliseconds } from '@kerf/apis'
import { type Controller, type Logger, type Outcome, retryAfter } from '@kerf/runtime'
import type { PriceBook } from './price-book.ts'
import type { PriceMemory } from './price-memory.ts'

const EVERY: Milliseconds = 12 * 3_600_000

/** Reads the prices of one capacity type from the cloud into the price book. */
type ReadPrices = (signal: AbortSignal) => Promise<void>

export interface PriceRefreshDeps {
  readonly log: Logger
  readonly book: PriceBook
  /** Stores prices across restarts. Undefined if they are not stored. */
  readonly memory: PriceMemory | undefined
  /** The prices that can be read from this cloud. */
  readonly reads: { readonly onDemand?: ReadPrices; readonly spot?: ReadPrices }
  /** Returns the code and message of an error of the cloud, for the log. */
  readonly failureOf: (error: unknown) => { readonly code: string; readonly message: string }
}

const WHAT = { onDemand: 'on-demand prices', spot: 'spot prices' } as const
const KINDS = ['onDemand', 'spot'] as const

/**
 * Reads the prices, and stores the cloud's prices for the next start (`docs/spec/provider-contract.md#r19`). If a read fails, the known
 * prices remain in use.
 */
export class PriceRefresh {
  readonly #deps: PriceRefreshDeps
  /** Whether the prices of an earlier process have been loaded. Also true if prices are not stored. */
  #isLoaded: boolean

  constructor(deps: PriceRefreshDeps) {
    this.#deps = deps
    this.#isLoaded = deps.memory === undefined
  }

  controller(name: string): Controller {
    const working = (keeps: boolean): Controller => ({
      name,
      sources: [],
      concurrency: 1,
      singleton: true,
      backoff: { base: 5_000, max: 60_000 },
      reconcile: (_key, signal) => this.#refresh(signal, keeps),
    })
    return { ...working(true), observing: working(false) }
  }

  /** Reads the prices that are due. If `keeps` is true, also stores the prices for the next start. */
  async #refresh(signal: AbortSignal, keeps: boolean): Promise<Outcome> {
    const { book, memory, reads } = this.#deps
    if (!this.#isLoaded) {
      await this.#attempt('the prices that were last seen', async () => {
        const table = await memory?.load(signal)
        if (table !== undefined) book.remember(table)
        this.#isLoaded = true
      })
    }
    const readable = KINDS.filter((kind) => reads[kind] !== undefined)
    // Prices that were just read, at the start or in the previous attempt, are not requested again.
    const due = readable.filter((kind) => book.age(kind) >= EVERY)
    const failures = await Promise.all(due.map((kind) => this.#attempt(WHAT[kind], async () => reads[kind]?.(signal))))
    signal.throwIfAborted()
    const table = book.worthKeeping
    const failed = failures.filter((error) => error !== undefined)
    if (keeps && table !== undefined && failed.length < KINDS.length)
      await this.#attempt('the stored prices, before writing them', async () => memory?.save(table, signal))
    const [first] = failed
    if (first !== undefined) throw first
    const oldest: Milliseconds = Math.max(0, ...readable.map((kind) => book.age(kind)))
    return retryAfter(Math.max(EVERY - oldest, 0))
  }

  /** Runs `read`. If it fails, logs the failure and returns it. */
  async #attempt(what: string, read: () => Promise<void>): Promise<unknown> {
    const { log, book, failureOf } = this.#deps
    try {
      await read()
      return undefined
    } catch (error) {
      const { code, message } = failureOf(error)
      log.warn(`cannot read ${what}; continuing with the known ones`, {
        code,
        error: message,
        standing: book.standing,
      })
      return error
    }
  }
}
