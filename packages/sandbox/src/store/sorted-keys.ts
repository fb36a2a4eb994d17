const LARGEST_RUN = 512

/**
 * A sorted set of strings, stored in runs of limited length. Adding or removing a key is about as fast with fifty thousand keys as with
 * five hundred.
 */
export class SortedKeys {
  readonly #runs: string[][] = [[]]
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a key unless it exists. */
  add(key: string): void {
    const r = this.#runOf(key)
    const run = this.#runs[r] ?? []
    const at = position(run, key)
    if (run[at] === key) return
    run.splice(at, 0, key)
    this.#size++
    if (run.length > LARGEST_RUN) this.#runs.splice(r + 1, 0, run.splice(run.length >> 1))
  }

  /** Removes a key if it exists. */
  delete(key: string): void {
    const r = this.#runOf(key)
    const run = this.#runs[r] ?? []
    const at = position(run, key)
    if (run[at] !== key) return
    run.splice(at, 1)
    this.#size--
    if (run.length === 0 && this.#runs.length > 1) this.#runs.splice(r, 1)
  }

  /** Yields the keys from `from` (inclusive) to `to` (exclusive), in order. Both bounds are optional. */
  *between(from?: string, to?: string): Generator<string, void, void> {
    const first = from === undefined ? 0 : this.#runOf(from)
    for (let r = first; r < this.#runs.length; r++) {
      const run = this.#runs[r] ?? []
      for (let i = r === first && from !== undefined ? position(run, from) : 0; i < run.length; i++) {
        const key = run[i] ?? ''
        if (to !== undefined && key >= to) return
        yield key
      }
    }
  }

  /** Returns the index of the run that contains `key`, or to which `key` would be added. */
  #runOf(key: string): number {
    let low = 0
    let high = this.#runs.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#runs[middle]?.[0] ?? '') <= key) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Returns the index of the first key that is equal to or greater than `key`. */
const position = (run: readonly string[], key: string): number => {
  let low = 0
  let high = run.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((run[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
