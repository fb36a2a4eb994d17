import type { Timers } from '../throttle.ts'

/** Timers that a test advances. */
export class Steps implements Timers {
  now = 0
  readonly #waiting = new Map<number, { readonly at: number; readonly run: () => void }>()
  #next = 1

  set(run: () => void, milliseconds: number): unknown {
    this.#waiting.set(this.#next, { at: this.now + milliseconds, run })
    return this.#next++
  }

  clear(timer: unknown): void {
    this.#waiting.delete(timer as number)
  }

  get timers(): number {
    return this.#waiting.size
  }

  advance(milliseconds: number): void {
    const end = this.now + milliseconds
    for (;;) {
      const [next] = [...this.#waiting].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)
      if (next === undefined) break
      this.#waiting.delete(next[0])
      this.now = next[1].at
      next[1].run()
    }
    this.now = end
  }
}
