import { drawFraction, drawText, drawUuid, type Random } from './random.ts'

const rotateLeft = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** Returns 128 bits for any string, from four FNV-1a hashes with different offsets, each followed by a mixing step. */
const stateOf = (seed: string): [number, number, number, number] => {
  const word = (offset: number): number => {
    let hash = offset
    for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x0100_0193)
    hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
    return hash ^ (hash >>> 16)
  }
  return [word(0x811c_9dc5), word(0x3c6e_f372), word(0xa54f_f53a), word(0x510e_527f) | 1]
}

/**
 * The xoshiro128** generator: the same seed gives the same values on every machine. It must not be used for secrets. `fork` creates
 * an independent source by name, so that additional values for one component do not change the values of others.
 */
export class SeededRandom implements Random {
  readonly #seed: string
  #a: number
  #b: number
  #c: number
  #d: number

  constructor(seed: number | string) {
    this.#seed = String(seed)
    ;[this.#a, this.#b, this.#c, this.#d] = stateOf(this.#seed)
  }

  uint32(): number {
    const result = Math.imul(rotateLeft(Math.imul(this.#b, 5), 7), 9)
    const shifted = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= shifted
    this.#d = rotateLeft(this.#d, 11)
    return result >>> 0
  }

  next(): number {
    return drawFraction(() => this.uint32())
  }

  uuid(): string {
    return drawUuid(() => this.uint32())
  }

  text(length: number, alphabet?: string): string {
    return drawText(() => this.next(), length, alphabet)
  }

  /** Returns a source that depends on this source's seed and on `name`, but not on values returned before. */
  fork(name: string): SeededRandom {
    return new SeededRandom(`${this.#seed}/${name}`)
  }
}
