import { readFileSync } from 'node:fs'

const bytes = readFileSync(new URL('./draws-seed-42.bin', import.meta.url))

/**
 * The random numbers of upstream's benchmark: the values of Go's `math/rand` with seed 42, each modulo 210. Because 210 is a multiple of 5,
 * 6 and 7, this gives the right results for `Intn(5)`, `Intn(6)` and `Intn(7)`. Every workload starts again with the first value, as
 * `docs/spec/scheduling-benchmark.md#pods` requires.
 */
export class Draws {
  #next = 0

  /** Returns the value of `rand.Intn(n)`. `n` must divide 210. */
  intn(n: number): number {
    const byte = bytes[this.#next]
    if (byte === undefined || 210 % n !== 0) throw new RangeError(`no draw ${this.#next} modulo ${n}`)
    this.#next += 1
    return byte % n
  }
}
