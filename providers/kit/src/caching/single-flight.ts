interface Flight<V> {
  readonly answer: Promise<V>
  readonly stop: AbortController
  waiting: number
}

/**
 * Shares running work: concurrent callers with the same key get the same result. If a caller aborts, only that caller is affected. When no
 * caller waits any longer, the work itself is aborted.
 */
export class SingleFlight<V> {
  readonly #flights = new Map<string, Flight<V>>()

  /**
   * Returns the result of the work for the key. Starts the work unless it is already running.
   *
   * @throws the error of the work, or the signal's reason when it is aborted.
   */
  async run(key: string, work: (signal: AbortSignal) => Promise<V>, signal: AbortSignal): Promise<V> {
    signal.throwIfAborted()
    const flight = this.#flights.get(key) ?? this.#begin(key, work)
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const onAbort = (): void => {
      reject(signal.reason)
      flight.waiting--
      if (flight.waiting > 0) return
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
      flight.stop.abort(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    flight.waiting++
    try {
      return await Promise.race([flight.answer, aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<V>): Flight<V> {
    const stop = new AbortController()
    const answer = work(stop.signal).finally(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    })
    // Handles the rejection in case all callers have aborted.
    answer.catch(() => undefined)
    const flight: Flight<V> = { answer, stop, waiting: 0 }
    this.#flights.set(key, flight)
    return flight
  }
}
