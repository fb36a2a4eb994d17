import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'

/** Reads a heap and collects its garbage. In production this is the heap of the process itself. */
export interface HeapControl {
  readonly used: () => number
  readonly collect: () => void
}

const CHECK_INTERVAL: Milliseconds = 2_000
/**
 * The longest pause between collections. If a collection frees almost nothing, the next one waits longer, because it would only use
 * processor time.
 */
const LONGEST_PAUSE: Milliseconds = 120_000
const WORTHWHILE = 0.05

/**
 * Returns the control of this process's heap. V8 reads `--max-old-space-size` only at the start, and ends the process when the heap
 * exceeds it, so Kerf triggers collections itself.
 */
const ownHeap = (): HeapControl => {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return {
    used: () => {
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    },
    collect: () => {
      if (typeof gc === 'function') gc()
    },
  }
}

/**
 * Collects garbage when the heap exceeds `bytes`, and does not end the process. This implements `MEMORY_LIMIT`. If the live data
 * alone exceeds the limit, garbage is collected rarely and not constantly. Returns a function that stops this control.
 */
export const softHeapLimit = (clock: Clock, bytes: number, heap: HeapControl = ownHeap()): (() => void) => {
  let pause = CHECK_INTERVAL
  let timer: Timer
  const look = (): void => {
    const before = heap.used()
    if (before <= bytes) pause = CHECK_INTERVAL
    else {
      heap.collect()
      const freed = before - heap.used()
      pause = freed >= before * WORTHWHILE ? CHECK_INTERVAL : Math.min(LONGEST_PAUSE, pause * 2)
    }
    timer = clock.timer(pause, look)
  }
  timer = clock.timer(pause, look)
  return () => timer.cancel()
}
