/** The functions that create, clean and discard a thing. Creation is slow. */
export interface LendingOptions<T> {
  /** The maximum number of things that exist at the same time. */
  readonly most: number
  make(): Promise<T>
  /** Cleans a used thing. If this rejects, the thing is discarded and the next borrower gets a new one. */
  clean(thing: T): Promise<void>
  discard(thing: T): Promise<void>
}

/**
 * Lends things that are slow to create. Each thing has one borrower at a time, and is cleaned as soon as it is returned. Creates the first
 * thing when one is first requested, and another one only if all existing ones are lent. Serves borrowers in the order of their requests.
 */
export class Lending<T> {
  readonly #options: LendingOptions<T>
  /** All things that were created and not discarded. */
  readonly #things = new Set<T>()
  readonly #ready: T[] = []
  readonly #waiting: { resolve(thing: T): void; reject(error: Error): void }[] = []
  readonly #work = new Set<Promise<void>>()
  #making = 0
  #isClosed = false

  constructor(options: LendingOptions<T>) {
    this.#options = options
  }

  /** Resolves to a thing. Rejects if none can be created, or after `close`. */
  borrow(): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('nothing is lent any more'))
    const ready = this.#ready.pop()
    if (ready !== undefined) return Promise.resolve(ready)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#makeForWaiting()
    })
  }

  /** Cleans a returned thing in the background, and then lends it to the next waiting borrower. */
  giveBack(thing: T): void {
    this.#follow(this.#clean(thing))
  }

  /** Discards all things, including those that are still lent. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('nothing is lent any more'))
    // A thing whose creation is not finished is discarded as soon as it exists.
    await Promise.all([...this.#things].map((thing) => this.#discard(thing)))
    await Promise.all(this.#work)
  }

  #follow(work: Promise<void>): void {
    this.#work.add(work)
    work.finally(() => this.#work.delete(work))
  }

  #makeForWaiting(): void {
    const mayMake = this.#things.size + this.#making < this.#options.most
    if (this.#isClosed || !mayMake || this.#making >= this.#waiting.length) return
    this.#making += 1
    this.#follow(this.#make())
  }

  async #make(): Promise<void> {
    try {
      const thing = await this.#options.make()
      this.#things.add(thing)
      if (this.#isClosed) await this.#discard(thing)
      else this.#lend(thing)
    } catch (error) {
      this.#waiting.shift()?.reject(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#making -= 1
      this.#makeForWaiting()
    }
  }

  async #clean(thing: T): Promise<void> {
    try {
      await this.#options.clean(thing)
      if (!this.#isClosed) this.#lend(thing)
    } catch {
      if (this.#isClosed) return
      await this.#discard(thing)
      this.#makeForWaiting()
    }
  }

  async #discard(thing: T): Promise<void> {
    this.#things.delete(thing)
    await this.#options.discard(thing)
  }

  #lend(thing: T): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#ready.push(thing)
    else next.resolve(thing)
  }
}
