// Loaded into the measured program with `--import`. Writes the delay of each iteration of its event loop to the file KERF_LOOP_PROBE. It
// runs inside the program, so it can measure programs without such a metric. loop-delays.ts reads the file.
import { appendFileSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'

const file = process.env.KERF_LOOP_PROBE ?? ''
const EVERY = 10
const FLUSH_EVERY = 1_000

/** Returns the time of CLOCK_MONOTONIC in milliseconds. All processes on a machine share this clock. */
const now = () => Number(process.hrtime.bigint()) / 1e6
/** Returns the processor time of the main thread, in milliseconds. */
const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

let lines = []
let flushedAt = now()
let before = { at: now(), cpu: cpu() }
const tick = () => {
  const at = now()
  const used = cpu()
  const late = Math.max(0, at - before.at - EVERY)
  lines.push(`t ${at.toFixed(1)} ${late.toFixed(1)} ${(used - before.cpu).toFixed(1)}`)
  if (at - flushedAt >= FLUSH_EVERY) {
    appendFileSync(file, `${lines.join('\n')}\n`)
    lines = []
    flushedAt = at
  }
  before = { at: now(), cpu: cpu() }
  setTimeout(tick, EVERY).unref()
}
setTimeout(tick, EVERY).unref()

const offset = now() - performance.now()
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    lines.push(`g ${(startTime + offset).toFixed(1)} ${duration.toFixed(1)}`)
  }
}).observe({ entryTypes: ['gc'] })
