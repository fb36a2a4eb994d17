import type { SeededRandom } from '@kerf/runtime'

/** The random choices that the generators of runs use. */
export class Randomness {
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  /** Returns a separate source with this name. The choices of the two sources do not affect each other. */
  fork(name: string): Randomness {
    return new Randomness(this.#random.fork(name))
  }

  /** Returns an integer from `low` to `high`, inclusive. */
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
