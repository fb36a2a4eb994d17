import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'

/** What the limit looks at and what it does; the process's own unless given. */
export interface HeapControl {
  readonly used: () => number
  readonly collect: () => void
}

const CHECK_INTERVAL: Milliseconds = 2_000
/** A collection that frees next to nothing is not repeated at once: it would only take the CPU from the work. */
const LONGEST_PAUSE: Milliseconds = 120_000
const WORTHWHILE = 0.05

/** V8 takes `--max-old-space-size` at the start only, and ends the process beyond it; so garbage is collected by hand. */
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
 * Keeps the heap below `bytes` as far as garbage goes, without ever ending the process for being above: what `MEMORY_LIMIT`
 * means. Where the live data alone is larger, collections become rare instead of constant. Returns the way to stop.
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
