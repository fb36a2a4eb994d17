import { type Clock, sleep } from '../clock/clock.ts'
import { Compressor } from './compressor.ts'

export type Encoding = 'gzip' | 'identity'

type Body = readonly Uint8Array[]

/** One rendering and those who wait for it. */
class Round {
  readonly #gone = new AbortController()
  readonly #bodies = new Map<Encoding, PromiseWithResolvers<Body>>()
  #waiting = 0

  /** Aborted once nobody waits any more. */
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
      // Those who left do not hear of it.
      promise.catch(() => {})
      reject(error)
    }
  }
}

/**
 * A text that takes long to make, made once for all who ask at the same moment: a thousand scrapes at once take the time and the
 * memory of one. Nobody gets one that was begun before he asked, and one at a time is made. Between two chunks of it, and while it
 * is compressed, everything else goes on. It is given up once everybody who asked has left.
 */
export class SharedScrape {
  readonly #clock: Clock
  readonly #chunks: () => AsyncIterable<string>
  #next: Round | undefined
  /** Settled when the rendering before is over. */
  #turn: Promise<void> = Promise.resolve()

  constructor(clock: Clock, chunks: () => AsyncIterable<string>) {
    this.#clock = clock
    this.#chunks = chunks
  }

  /** The text as bytes, compressed if asked for. Rejects with the reason of `signal` when the caller leaves. */
  get(encoding: Encoding, signal: AbortSignal): Promise<Body> {
    // Everybody who waited for it may have left before it began.
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
      // After the requests that have come together.
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
