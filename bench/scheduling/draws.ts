import { readFileSync } from 'node:fs'

const bytes = readFileSync(new URL('./draws-seed-42.bin', import.meta.url))

/**
 * The random numbers of upstream's benchmark: what Go's `math/rand` draws from seed 42, each kept modulo 210, which is
 * enough for `Intn(5)`, `Intn(6)` and `Intn(7)`. Starts over for every workload, as
 * `docs/spec/scheduling-benchmark.md#pods` asks.
 */
export class Draws {
  #next = 0

  /** What `rand.Intn(n)` would answer; `n` must divide 210. */
  intn(n: number): number {
    const byte = bytes[this.#next]
    if (byte === undefined || 210 % n !== 0) throw new RangeError(`no draw ${this.#next} modulo ${n}`)
    this.#next += 1
    return byte % n
  }
}
