import type { Milliseconds } from '@kerf/apis'
import { type Clock, TtlCache } from '@kerf/runtime'
import { SingleFlight } from './single-flight.ts'

/**
 * Caches responses of a cloud by key. Each key is read at most once within `ttl`, and concurrent callers share the read. A refusal is
 * cached for `refusedFor`, because otherwise the many callers after a start would all repeat the refused call.
 */
export class ReadCache<V> {
  readonly #answers: TtlCache<string, { readonly value: V }>
  readonly #refusals: TtlCache<string, { readonly error: unknown }>
  readonly #flights = new SingleFlight<V>()

  constructor(clock: Clock, options: { readonly ttl: Milliseconds; readonly refusedFor?: Milliseconds }) {
    this.#answers = new TtlCache(clock, { ttl: options.ttl })
    this.#refusals = new TtlCache(clock, { ttl: options.refusedFor ?? 0 })
  }

  /**
   * Returns the cached response, or calls `ask`.
   *
   * @throws the error of `ask`, which may be cached; the signal's reason when it is aborted.
   */
  async read(question: string, ask: (signal: AbortSignal) => Promise<V>, signal: AbortSignal): Promise<V> {
    const known = this.#answers.get(question)
    if (known !== undefined) return known.value
    const refusal = this.#refusals.get(question)
    if (refusal !== undefined) throw refusal.error
    return this.#flights.run(question, (inner) => this.#ask(question, ask, inner), signal)
  }

  async #ask(question: string, ask: (signal: AbortSignal) => Promise<V>, signal: AbortSignal): Promise<V> {
    try {
      const value = await ask(signal)
      this.#answers.set(question, { value })
      return value
    } catch (error) {
      signal.throwIfAborted()
      this.#refusals.set(question, { error })
      throw error
    }
  }
}
