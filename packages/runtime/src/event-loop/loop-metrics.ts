import { constants, type IntervalHistogram, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import type { Milliseconds } from '@kerf/apis'
import type { Clock, Timer } from '../clock/clock.ts'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { Metrics } from '../metrics/metrics.ts'

const RESOLUTION: Milliseconds = 10
const WINDOW: Milliseconds = 60_000
const NANOSECONDS = 1e9

export const loopMetrics = defineMetrics({
  delay: {
    name: 'kerf_event_loop_delay_seconds',
    type: 'gauge',
    help: 'Lag of the event loop in the last one to two minutes: percentiles 50, 99 and 100 (the maximum). It delays everything that the process does and includes garbage collection.',
    labels: ['percentile'],
  },
  garbage: {
    name: 'kerf_event_loop_gc_seconds_total',
    type: 'counter',
    help: 'Time in garbage collection, by kind: major, minor, incremental, weakcb.',
    labels: ['kind'],
  },
  longestGarbage: {
    name: 'kerf_event_loop_gc_longest_seconds',
    type: 'gauge',
    help: 'The longest garbage collection in the last one to two minutes.',
  },
})

const KINDS: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
])

/** Returns the kind of a `gc` entry. Node sets `detail`, which its types omit. */
const kindOf = (entry: object): string => {
  const detail: unknown = Reflect.get(entry, 'detail')
  const kind: unknown = typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'kind') : undefined
  return KINDS.get(Number(kind)) ?? 'other'
}

const PERCENTILES = [50, 99] as const

/**
 * Two histograms that are reset in alternation, one each minute. The older one covers the last one to two minutes, no matter how
 * often it is read.
 */
interface Windows {
  older: IntervalHistogram
  newer: IntervalHistogram
  olderGarbage: Milliseconds
  newerGarbage: Milliseconds
}

const started = (): IntervalHistogram => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  histogram.enable()
  return histogram
}

/** Returns the delay beyond the resolution, which is the interval between two samples. The result is not negative. */
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION / 1000)

/** Measures the event loop delay of this process, and its garbage collections. Returns a function that stops the measurement. */
export const watchEventLoop = (metrics: Metrics, clock: Clock): (() => void) => {
  const { delay, garbage, longestGarbage } = loopMetrics.register(metrics)
  const windows: Windows = { older: started(), newer: started(), olderGarbage: 0, newerGarbage: 0 }
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration } = entry
      garbage.inc({ kind: kindOf(entry) }, duration / 1000)
      windows.olderGarbage = Math.max(windows.olderGarbage, duration)
      windows.newerGarbage = Math.max(windows.newerGarbage, duration)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  const stopShowing = metrics.onScrape(() => {
    const { older, olderGarbage } = windows
    const isEmpty = older.count === 0
    for (const percentile of PERCENTILES)
      delay.set(isEmpty ? 0 : late(older.percentile(percentile)), { percentile: `${percentile}` })
    delay.set(isEmpty ? 0 : late(older.max), { percentile: '100' })
    longestGarbage.set(olderGarbage / 1000)
  })
  let timer: Timer
  const roll = (): void => {
    const { older, newer, newerGarbage } = windows
    older.reset()
    Object.assign(windows, { older: newer, newer: older, olderGarbage: newerGarbage, newerGarbage: 0 })
    timer = clock.timer(WINDOW, roll)
  }
  timer = clock.timer(WINDOW, roll)
  return () => {
    timer.cancel()
    stopShowing()
    observer.disconnect()
    windows.older.disable()
    windows.newer.disable()
  }
}
