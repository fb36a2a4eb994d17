/** How a thing that is slow to make is made, emptied and ended. */
export interface LendingOptions<T> {
  /** How many there may be at once. */
  readonly most: number
  make(): Promise<T>
  /** Makes what was used as good as new. When it rejects, the thing is discarded and made anew for the next borrower. */
  clean(thing: T): Promise<void>
  discard(thing: T): Promise<void>
}

/**
 * Lends things that are slow to make, each to one holder at a time, and cleans what comes back before the next one asks for
 * it. The first is made when somebody asks, another only when all others are out. Who comes first is served first.
 */
export class Lending<T> {
  readonly #options: LendingOptions<T>
  /** All that were made and not discarded. */
  readonly #things = new Set<T>()
  readonly #ready: T[] = []
  readonly #waiting: { resolve(thing: T): void; reject(error: Error): void }[] = []
  readonly #work = new Set<Promise<void>>()
  #making = 0
  #isClosed = false

  constructor(options: LendingOptions<T>) {
    this.#options = options
  }

  /** Rejects when a new one cannot be made, and after `close`. */
  borrow(): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('nothing is lent any more'))
    const ready = this.#ready.pop()
    if (ready !== undefined) return Promise.resolve(ready)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#makeForWaiting()
    })
  }

  /** Cleans it beside everything else; whoever waits gets it then. */
  giveBack(thing: T): void {
    this.#follow(this.#clean(thing))
  }

  /** Discards everything, also what is still out. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('nothing is lent any more'))
    // One that is just being made ends as soon as it is there.
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
