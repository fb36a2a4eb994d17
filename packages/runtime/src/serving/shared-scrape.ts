import { type Clock, sleep } from '../clock/clock.ts'
import { Compressor } from './compressor.ts'

export type Encoding = 'gzip' | 'identity'

type Body = readonly Uint8Array[]

/** One rendering, and the requests that wait for it. */
class Round {
  readonly #gone = new AbortController()
  readonly #bodies = new Map<Encoding, PromiseWithResolvers<Body>>()
  #waiting = 0

  /** Aborted when no request waits any more. */
  get signal(): AbortSignal {
    return this.#gone.signal
  }

  get encodings(): readonly Encoding[] {
    return [...this.#bodies.keys()]
  }

  async join(encoding: Encoding, signal: AbortSignal): Promise<Body> {
    signal.throwIfAborted()
    const body = this.#bodies.get(encoding) ?? Promise.withResolvers<Body>()
    this.#bodies.set(encoding, body)
    this.#waiting++
    const left = Promise.withResolvers<never>()
    const leave = (): void => {
      this.#waiting--
      left.reject(signal.reason)
      if (this.#waiting === 0) this.#gone.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([body.promise, left.promise])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  finish(encoding: Encoding, body: Body): void {
    this.#bodies.get(encoding)?.resolve(body)
  }

  fail(error: unknown): void {
    for (const { promise, reject } of this.#bodies.values()) {
      // Cancelled requests do not get the error.
      promise.catch(() => {})
      reject(error)
    }
  }
}

/**
 * Renders an expensive response once for all concurrent requests, so that a thousand simultaneous scrapes use the time and memory of one.
 * No request gets a rendering that started before the request arrived, and only one rendering runs at a time. Other work runs between two
 * chunks and during compression. A rendering stops when all its requests are cancelled.
 */
export class SharedScrape {
  readonly #clock: Clock
  readonly #chunks: () => AsyncIterable<string>
  #next: Round | undefined
  /** Settles when the previous rendering has ended. */
  #turn: Promise<void> = Promise.resolve()

  constructor(clock: Clock, chunks: () => AsyncIterable<string>) {
    this.#clock = clock
    this.#chunks = chunks
  }

  /** Returns the text as bytes, compressed if requested. Rejects with the reason of `signal` if the caller aborts. */
  get(encoding: Encoding, signal: AbortSignal): Promise<Body> {
    // All requests for the next rendering may have been cancelled before it started.
    if (this.#next === undefined || this.#next.signal.aborted) {
      const round = new Round()
      this.#next = round
      this.#turn = this.#render(round, this.#turn)
    }
    return this.#next.join(encoding, signal)
  }

  async #render(round: Round, before: Promise<void>): Promise<void> {
    try {
      await before
      // This wait lets requests that arrive at the same time share the rendering.
      await sleep(this.#clock, 0)
      if (this.#next === round) this.#next = undefined
      if (round.signal.aborted) return
      await this.#fill(round)
    } catch (error) {
      round.fail(error)
    }
  }

  async #fill(round: Round): Promise<void> {
    const { encodings } = round
    const plain: Uint8Array[] | undefined = encodings.includes('identity') ? [] : undefined
    const compressor = encodings.includes('gzip') ? new Compressor() : undefined
    try {
      for await (const chunk of this.#chunks()) {
        const bytes = Buffer.from(chunk)
        plain?.push(bytes)
        await compressor?.write(bytes)
        await sleep(this.#clock, 0, round.signal)
      }
      if (plain !== undefined) round.finish('identity', plain)
      if (compressor !== undefined) round.finish('gzip', await compressor.end())
    } finally {
      compressor?.close()
    }
  }
}
