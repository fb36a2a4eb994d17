import { type Clock, SystemClock, sleep, type Timer } from '@kerf/runtime'

interface Waiting {
  readonly due: number
  readonly fire: () => void
  handle: Timer
}

/**
 * The time of the operating system at an adjustable pace: with a pace of 30, five minutes pass in ten seconds. Every timer fires in order
 * and at its time. Only the Kerf in this process uses this clock. The real servers keep their own time.
 */
export class PacedClock implements Clock {
  readonly #real = new SystemClock()
  readonly #waiting = new Set<Waiting>()
  #pace = 1
  /** When the pace last changed, in real time and in the time of this clock. */
  #realSince = this.#real.monotonic()
  #since = this.#realSince
  readonly #offset = this.#real.now() - this.#realSince

  now(): number {
    return this.#offset + this.monotonic()
  }

  monotonic(): number {
    return this.#since + (this.#real.monotonic() - this.#realSince) * this.#pace
  }

  timer(after: number, fire: () => void): Timer {
    const waiting: Waiting = { due: this.monotonic() + Math.max(0, after), fire, handle: { cancel: () => undefined } }
    this.#waiting.add(waiting)
    this.#arm(waiting)
    return {
      cancel: () => {
        waiting.handle.cancel()
        this.#waiting.delete(waiting)
      },
    }
  }

  /** Sets how many seconds of this clock pass in a real second from now on. */
  setPace(pace: number): void {
    this.#since = this.monotonic()
    this.#realSince = this.#real.monotonic()
    this.#pace = pace
    for (const waiting of this.#waiting) {
      waiting.handle.cancel()
      this.#arm(waiting)
    }
  }

  /** Advances the clock by this many milliseconds. The clock runs `pace` times as fast as real time. */
  async pass(milliseconds: number, pace = 30): Promise<void> {
    this.setPace(pace)
    await sleep(this, milliseconds)
    this.setPace(1)
  }

  #arm(waiting: Waiting): void {
    waiting.handle = this.#real.timer((waiting.due - this.monotonic()) / this.#pace, () => {
      this.#waiting.delete(waiting)
      waiting.fire()
    })
  }
}
