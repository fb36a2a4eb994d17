import type { Milliseconds } from '@kerf/apis'

/**
 * A timer as the heap keeps it. `fire` is absent once it was cancelled or has fired: `cancel` clears it, and whoever takes a
 * timer out must clear it too, or a later `cancel` would count the timer as still inside.
 */
export interface HeapTimer {
  readonly due: Milliseconds
  readonly sequence: number
  fire: (() => void) | undefined
}

const isBefore = (a: HeapTimer, b: HeapTimer): boolean => a.due < b.due || (a.due === b.due && a.sequence < b.sequence)

/**
 * A binary heap of timers in (due time, sequence) order. Cancelled timers stay inside until they surface, or until they
 * outnumber the live ones, so that cancelling costs nothing.
 */
export class TimerHeap {
  #timers: HeapTimer[] = []
  #cancelled = 0

  /** How many timers will still fire. */
  get size(): number {
    return this.#timers.length - this.#cancelled
  }

  push(timer: HeapTimer): void {
    this.#timers.push(timer)
    this.#siftUp(this.#timers.length - 1)
  }

  cancel(timer: HeapTimer): void {
    if (timer.fire === undefined) return
    timer.fire = undefined
    this.#cancelled++
    if (this.#cancelled > 64 && this.#cancelled * 2 > this.#timers.length) this.#compact()
  }

  /** The next timer that will fire. */
  peek(): HeapTimer | undefined {
    for (;;) {
      const first = this.#timers[0]
      if (first === undefined || first.fire !== undefined) return first
      this.#removeFirst()
      this.#cancelled--
    }
  }

  /** Takes out the next timer that will fire. */
  pop(): HeapTimer | undefined {
    const first = this.peek()
    if (first !== undefined) this.#removeFirst()
    return first
  }

  #removeFirst(): void {
    const last = this.#timers.pop()
    if (last === undefined || this.#timers.length === 0) return
    this.#timers[0] = last
    this.#siftDown(0)
  }

  #compact(): void {
    this.#timers = this.#timers.filter((timer) => timer.fire !== undefined)
    this.#cancelled = 0
    for (let index = (this.#timers.length >> 1) - 1; index >= 0; index--) this.#siftDown(index)
  }

  #siftUp(index: number): void {
    const timers = this.#timers
    const timer = timers[index]
    if (timer === undefined) return
    while (index > 0) {
      const parentIndex = (index - 1) >> 1
      const parent = timers[parentIndex]
      if (parent === undefined || !isBefore(timer, parent)) break
      timers[index] = parent
      index = parentIndex
    }
    timers[index] = timer
  }

  #siftDown(index: number): void {
    const timers = this.#timers
    const timer = timers[index]
    if (timer === undefined) return
    for (;;) {
      const left = timers[2 * index + 1]
      if (left === undefined) break
      const right = timers[2 * index + 2]
      const rightIsFirst = right !== undefined && isBefore(right, left)
      const child = rightIsFirst ? right : left
      if (!isBefore(child, timer)) break
      timers[index] = child
      index = 2 * index + (rightIsFirst ? 2 : 1)
    }
    timers[index] = timer
  }
}
