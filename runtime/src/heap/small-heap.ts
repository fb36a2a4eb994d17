import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'

/** What is looked at and what is done; the process's own unless given. */
export interface ThriftControl {
  /** Bytes of live data and garbage. */
  readonly used: () => number
  readonly setThrifty: (isThrifty: boolean) => void
  /** Whether garbage is collected once it is a share of the live data, and not when V8 sees fit. */
  readonly boundGarbage: (isBound: boolean) => void
}

/** A large cluster is read within seconds, and a saving V8 would collect all the while. */
const CHECK_INTERVAL: Milliseconds = 500
const MEBIBYTE = 1_048_576
/** Above this V8 may keep more garbage: collecting often costs more than the memory is worth. */
const LARGE = 128 * MEBIBYTE
/** Below this it is thrifty again; the gap keeps it from going to and fro. */
const SMALL = 96 * MEBIBYTE

/**
 * For how long V8 may keep what it likes in a heap that has become large. A cluster of 5,000 nodes is read within that time, and bounding its
 * garbage meanwhile cost a seventh of the processor time.
 */
const GROWING: Milliseconds = 20_000
/** The garbage that a large heap keeps after that, in percent of its live data; V8 by itself let 0.4 GiB become 1.1. */
const GARBAGE = 40

/** The first V8 that is known to have a memory saver, Node 24's; an older one complains of the flag. */
const FIRST_V8 = 13

/** V8's memory saver collects sooner and gives empty pages back. Both flags may be switched at any time. */
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
 * Keeps a small heap small: a controller at rest holds some 50 MiB of data, and V8 would keep as much again in empty pages
 * for the next burst. Where the data is large, as on thousands of nodes, it may keep more, and what it likes until that has been read. Returns
 * the way to stop.
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
