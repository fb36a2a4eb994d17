interface Flight<V> {
  readonly answer: Promise<V>
  readonly stop: AbortController
  waiting: number
}

/**
 * Work that is shared while it is under way: who asks for the same key meanwhile gets the same answer. Whoever gives up
 * does so alone; the work is aborted when nobody waits for it any more.
 */
export class SingleFlight<V> {
  readonly #flights = new Map<string, Flight<V>>()

  /**
   * The answer of the work for the key, begun by this call unless it is under way.
   *
   * @throws what the work throws, or the signal's reason when aborted.
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
    // When everybody has given up, nobody listens any more.
    answer.catch(() => undefined)
    const flight: Flight<V> = { answer, stop, waiting: 0 }
    this.#flights.set(key, flight)
    return flight
  }
}
