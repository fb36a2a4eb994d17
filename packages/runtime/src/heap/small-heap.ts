import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'

/** Reads and controls a heap. In production this is the heap of the process itself. */
export interface ThriftControl {
  /** Returns the size of live data and garbage in bytes. */
  readonly used: () => number
  readonly setThrifty: (isThrifty: boolean) => void
  /** Sets whether V8 collects garbage as soon as it exceeds a share of the live data. Otherwise V8 decides by its own rules. */
  readonly boundGarbage: (isBound: boolean) => void
}

/**
 * How often the size is checked. A large cluster is read within seconds, and during that time V8 would collect garbage constantly
 * in memory-saving mode.
 */
const CHECK_INTERVAL: Milliseconds = 500
const MEBIBYTE = 1_048_576
/** The size above which V8 may keep more garbage, because frequent collections cost more than the memory is worth. */
const LARGE = 128 * MEBIBYTE
/** The size below which V8 saves memory again. The distance to `LARGE` prevents frequent switching. */
const SMALL = 96 * MEBIBYTE

/**
 * How long a heap must have been large before its garbage is limited. Reading a cluster of 5,000 nodes takes less time, and a limit
 * during that time would cost a seventh of the processor time.
 */
const GROWING: Milliseconds = 20_000
/**
 * The garbage that a large heap may keep after `GROWING`, in percent of its live data. Without a limit, V8 let a heap of 0.4 GiB grow to
 * 1.1 GiB.
 */
const GARBAGE = 40

/**
 * The first V8 version with the memory saver that Kerf uses, which is in Node 24. Older versions print a warning about the flag.
 */
const FIRST_V8 = 13

/**
 * Returns the control of this process's heap. V8's memory saver collects garbage earlier and returns empty pages. Both flags can be
 * changed at any time.
 */
const ownHeap = (): ThriftControl => {
  const hasSaver = Number.parseInt(process.versions.v8, 10) >= FIRST_V8
  return {
    used: () => getHeapStatistics().used_heap_size,
    setThrifty: (isThrifty) => {
      if (hasSaver) setFlagsFromString(isThrifty ? '--memory-saver-mode' : '--no-memory-saver-mode')
    },
    boundGarbage: (isBound) => setFlagsFromString(`--heap-growing-percent=${isBound ? GARBAGE : 0}`),
  }
}

/**
 * Limits the memory of a process with a small heap. An idle controller holds about 50 MiB of data, and V8 would keep as much
 * again in empty pages for the next burst. A large heap, as with thousands of nodes, may keep more garbage, and its garbage is
 * not limited while it grows. Returns a function that stops this control.
 */
export const keepSmallHeapSmall = (clock: Clock, heap: ThriftControl = ownHeap()): (() => void) => {
  let isThrifty = true
  let isBound = false
  let largeSince = clock.monotonic()
  let timer: Timer
  const look = (): void => {
    const used = heap.used()
    const shouldBe = isThrifty ? used <= LARGE : used < SMALL
    if (shouldBe !== isThrifty) {
      isThrifty = shouldBe
      largeSince = clock.monotonic()
      heap.setThrifty(isThrifty)
    }
    const shouldBeBound = !isThrifty && clock.monotonic() - largeSince >= GROWING
    if (shouldBeBound !== isBound) {
      isBound = shouldBeBound
      heap.boundGarbage(isBound)
    }
    timer = clock.timer(CHECK_INTERVAL, look)
  }
  heap.setThrifty(isThrifty)
  timer = clock.timer(CHECK_INTERVAL, look)
  return () => timer.cancel()
}
