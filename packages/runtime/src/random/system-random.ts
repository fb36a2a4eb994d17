import { getRandomValues, randomUUID } from 'node:crypto'
import { drawFraction, drawText, type Random } from './random.ts'

/** Random values from the operating system. It reads them in blocks, because each call is expensive. */
export class SystemRandom implements Random {
  readonly #block = new Uint32Array(256)
  #used = this.#block.length

  uint32(): number {
    if (this.#used === this.#block.length) {
      getRandomValues(this.#block)
      this.#used = 0
    }
    return this.#block[this.#used++] ?? 0
  }

  next(): number {
    return drawFraction(() => this.uint32())
  }

  uuid(): string {
    return randomUUID()
  }

  text(length: number, alphabet?: string): string {
    return drawText(() => this.next(), length, alphabet)
  }
}
