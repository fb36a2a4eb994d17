import type { Random } from '@kerf/runtime'

/** The draws that generators of runs need. */
export class Randomness {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** Returns an integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.#random.next() * (high - low + 1))
  }

  happens(probability: number): boolean {
    return this.#random.next() < probability
  }

  of<const C extends readonly unknown[]>(choices: C): C[number] {
    return choices[Math.floor(this.#random.next() * choices.length)]
  }
}
