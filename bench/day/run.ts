// npm run bench:day [-- --hours N]: a day of a cluster of some 300 nodes in virtual time, its wall time and its memory by
// the hour. The bar: 60 s, and no more memory after the last hour than after the second.
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { runSimulation, traceSteps } from '@kerf/cli'
import { loadCatalogue } from '@kerf/provider-kwok'
import { SeededRandom } from '@kerf/runtime'
import { dayOf } from './workload.ts'

const MOST_SECONDS = 60
/** What the heap may have grown by between the second hour and the last, of what it was. */
const MOST_GROWTH = 0.1
const HOUR = 3_600_000
const MEBIBYTE = 1_048_576

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '24' },
    low: { type: 'string', default: '110' },
    high: { type: 'string', default: '220' },
  },
})
const hours = Number(values.hours)

// A figure for what is kept, not for what has not been collected yet.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

interface Reading {
  readonly hour: number
  readonly heap: number
  readonly seconds: number
  /** Seconds of processor time so far. */
  readonly cpu: number
}

const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const { objects, trace } = dayOf({ low: Number(values.low), high: Number(values.high) })
const readings: Reading[] = []
const began = performance.now()
const usage = process.cpuUsage()
const result = await runSimulation({
  name: 'day',
  manifests: objects.map((object) => ({ object, file: 'bench/day', line: 0 })),
  catalogue: await loadCatalogue(),
  steps: traceSteps(trace, hours * HOUR, new SeededRandom(1)),
  seed: 1,
  span: hours * HOUR,
  onProgress: (done) => {
    if (done < (readings.length + 1) * HOUR) return
    collect()
    const { heapUsed } = process.memoryUsage()
    readings.push({
      hour: readings.length + 1,
      heap: heapUsed / MEBIBYTE,
      seconds: (performance.now() - began) / 1_000,
      cpu: cpuSince(usage),
    })
  },
})
const seconds = (performance.now() - began) / 1_000
const cpu = cpuSince(usage)

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const most = Math.max(...readings.map(({ heap }) => heap))
print('hour  nodes   pods     wall so far  processor    heap after collection')
for (const { hour, heap, seconds: wall, cpu: spent } of readings) {
  const sample = result.samples.find(({ at }) => at >= hour * HOUR)
  const bar = '█'.repeat(Math.round((heap / most) * 40))
  print(
    `${String(hour).padStart(4)}  ${String(sample?.nodes ?? '').padStart(5)}  ${String(sample?.pods ?? '').padStart(5)}  ${wall.toFixed(1).padStart(12)} s  ${spent.toFixed(1).padStart(7)} s  ${heap.toFixed(1).padStart(7)} MiB ${bar}`,
  )
}
const second = readings[1]?.heap ?? 0
const last = readings.at(-1)?.heap ?? 0
const isFast = seconds < MOST_SECONDS
const isFlat = last <= second * (1 + MOST_GROWTH)
print(
  `${hours} h of ${(result.nodeHours / hours).toFixed(0)} nodes in the mean, ${Math.max(...result.samples.map(({ nodes }) => nodes))} at most; ${result.pods} pods, ${result.launches} launches, ${result.evictions} evictions, $${result.cost.toFixed(2)}, waits p95 ${(result.waits.p95 / 1_000).toFixed(0)} s`,
)
print(
  `${seconds.toFixed(1)} s of wall time (${cpu.toFixed(1)} s of processor time); bar: ${MOST_SECONDS} s: ${isFast ? 'met' : 'missed'}`,
)
print(
  `heap ${second.toFixed(1)} MiB after hour 2, ${last.toFixed(1)} MiB after hour ${hours}; bar: no more than a tenth above: ${isFlat ? 'met' : 'missed'}`,
)
process.exitCode = isFast && isFlat ? 0 : 1
