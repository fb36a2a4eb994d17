import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'

/** What is looked at and what is done; the process's own unless given. */
export interface ThriftControl {
  /** Bytes of live data and garbage. */
  readonly used: () => number
  readonly setThrifty: (isThrifty: boolean) => void
}

/** A large cluster is read within seconds, and a saving V8 would collect all the while. */
const CHECK_INTERVAL: Milliseconds = 500
const MEBIBYTE = 1_048_576
/** Above this V8 may keep what it likes: collecting often costs more than the memory is worth. */
const LARGE = 128 * MEBIBYTE
/** Below this it is thrifty again; the gap keeps it from going to and fro. */
const SMALL = 96 * MEBIBYTE

/** The first V8 that is known to have a memory saver, Node 24's; an older one complains of the flag. */
const FIRST_V8 = 13

/** V8's memory saver collects sooner and gives empty pages back; it may be switched at any time. */
const ownHeap = (): ThriftControl => {
  const hasSaver = Number.parseInt(process.versions.v8, 10) >= FIRST_V8
  return {
    used: () => getHeapStatistics().used_heap_size,
    setThrifty: (isThrifty) => {
      if (hasSaver) setFlagsFromString(isThrifty ? '--memory-saver-mode' : '--no-memory-saver-mode')
    },
  }
}

/**
 * Keeps a small heap small: a controller at rest holds some 50 MiB of data, and V8 would keep as much again in empty pages
 * for the next burst. Where the data is large, as on thousands of nodes, V8 is left alone. Returns the way to stop.
 */
export const keepSmallHeapSmall = (clock: Clock, heap: ThriftControl = ownHeap()): (() => void) => {
  let isThrifty = true
  let timer: Timer
  const look = (): void => {
    const used = heap.used()
    const shouldBe = isThrifty ? used <= LARGE : used < SMALL
    if (shouldBe !== isThrifty) {
      isThrifty = shouldBe
      heap.setThrifty(isThrifty)
    }
    timer = clock.timer(CHECK_INTERVAL, look)
  }
  heap.setThrifty(isThrifty)
  timer = clock.timer(CHECK_INTERVAL, look)
  return () => timer.cancel()
}
