import type { Milliseconds } from '@kerf/apis'

/**
 * A timer in the heap. `fire` is absent after the timer was cancelled or has fired. `cancel` clears it, and code that removes a
 * timer from the heap must also clear it. Otherwise a later `cancel` would count the timer as still in the heap.
 */
export interface HeapTimer {
  readonly due: Milliseconds
  readonly sequence: number
  fire: (() => void) | undefined
}

const isBefore = (a: HeapTimer, b: HeapTimer): boolean => a.due < b.due || (a.due === b.due && a.sequence < b.sequence)

/**
 * A binary heap of timers, ordered by due time and then by sequence. Cancelled timers stay in the heap until they reach the top or
 * until they outnumber the live ones, so that cancelling is cheap.
 */
export class TimerHeap {
  #timers: HeapTimer[] = []
  #cancelled = 0

  /** The number of timers that will still fire. */
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

  /** Returns the next timer that will fire. */
  peek(): HeapTimer | undefined {
    for (;;) {
      const first = this.#timers[0]
      if (first === undefined || first.fire !== undefined) return first
      this.#removeFirst()
      this.#cancelled--
    }
  }

  /** Removes and returns the next timer that will fire. */
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
