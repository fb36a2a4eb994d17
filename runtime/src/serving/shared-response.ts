import { type Clock, sleep } from '../clock/clock.ts'

/**
 * An answer that is dear to make, made once for all who ask at the same moment: a thousand scrapes at once cost what one
 * does, in time and, as bytes, in memory. Nobody gets one that was made before he asked.
 */
export class SharedResponse {
  readonly #clock: Clock
  readonly #make: () => Promise<string>
  #next: Promise<Buffer> | undefined

  constructor(clock: Clock, make: () => Promise<string>) {
    this.#clock = clock
    this.#make = make
  }

  get(): Promise<Buffer> {
    this.#next ??= this.#begin()
    return this.#next
  }

  async #begin(): Promise<Buffer> {
    // After the requests that have come together.
    await sleep(this.#clock, 0)
    this.#next = undefined
    return Buffer.from(await this.#make())
  }
}
