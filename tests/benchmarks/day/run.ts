// npm run bench:day [-- --hours N --out FILE]: simulates a day of a cluster with 300 nodes on average, in virtual time. Prints its figures,
// its wall time, and its memory per hour. Fails if the simulation takes more than 60 s, or if the heap grows by more than a tenth between
// the second hour and the last.
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { runSimulation, traceSteps } from '@kerf/cli'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { SeededRandom } from '@kerf/runtime'
import { readManifests } from '../../../packages/cli/src/manifests/read-manifests.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { makeDay } from './workload.ts'

const MOST_SECONDS = 60
/** How much the heap may grow between the second hour and the last, as a fraction. */
const MOST_GROWTH = 0.1
/**
 * The size of the heap at the end of the run is compared with its size at the end of this hour. Before that, the cluster is still starting.
 */
const SETTLED = 2
const HOUR = 3_600_000
const MEBIBYTE = 1_048_576

const { values } = programOptions(
  'npm run bench:day: a day of a cluster that grows and shrinks, in virtual time: decisions, cost, heap.',
  {
    options: {
      hours: { type: 'string', default: '24' },
      // The load needs 200 nodes at night and 400 in the afternoon, so 300 on average.
      low: { type: 'string', default: '72' },
      high: { type: 'string', default: '144' },
      // More objects of the cluster, for example a ClusterPolicy.
      manifests: { type: 'string' },
      // The file for the complete result as JSON, to compare two versions.
      out: { type: 'string' },
    },
  },
)
const hours = Number(values.hours)

// Makes it possible to collect garbage before each measurement, so that only memory in use counts.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

interface Reading {
  readonly heap: number
  readonly seconds: number
}

const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const WIDTHS = [4, 5, 5, 9, 9, 9, 10]
const cells = (...texts: readonly string[]): string =>
  texts.map((text, column) => text.padStart(WIDTHS[column] ?? 0)).join('  ')

const { objects, trace } = makeDay({ low: Number(values.low), high: Number(values.high) })
const further = values.manifests === undefined ? [] : await readManifests([values.manifests], { repeated: () => {} })
const readings: Reading[] = []
const began = performance.now()
const usage = process.cpuUsage()
const secondsSoFar = (): number => (performance.now() - began) / 1_000

print(cells('hour', 'nodes', 'pods', '$/h', 'wall', 'processor', 'heap'))
const result = await runSimulation({
  name: 'day',
  manifests: [...objects.map((object) => ({ object, file: 'tests/benchmarks/day', line: 0 })), ...further],
  instanceTypes: await loadInstanceTypes(),
  steps: traceSteps(trace, hours * HOUR, new SeededRandom(1)),
  seed: 1,
  span: hours * HOUR,
  onProgress: (done, { nodes, pods, hourlyCost }) => {
    if (done < (readings.length + 1) * HOUR) return
    collect()
    const reading = { heap: process.memoryUsage().heapUsed / MEBIBYTE, seconds: secondsSoFar() }
    readings.push(reading)
    print(
      cells(
        String(readings.length),
        String(nodes),
        String(pods),
        hourlyCost.toFixed(2),
        `${reading.seconds.toFixed(1)} s`,
        `${cpuSince(usage).toFixed(1)} s`,
        `${reading.heap.toFixed(1)} MiB`,
      ),
    )
  },
})
const seconds = secondsSoFar()
const cpu = cpuSince(usage)
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, undefined, 1)}\n`)

const nodes = result.samples.map((sample) => sample.nodes)
const mostWaiting = Math.max(...result.samples.map(({ waiting }) => waiting))
const { p50, p95, longest } = result.waits
const whole = (milliseconds: number): string => (milliseconds / 1_000).toFixed(0)
print(
  `${hours} h of ${(result.nodeHours / hours).toFixed(0)} nodes on average, ${Math.max(...nodes)} at most; ${result.pods} pods, ${result.launches} launches, ${result.evictions} evictions, $${result.cost.toFixed(2)}`,
)
print(
  `waits: p50 ${whole(p50)} s, p95 ${whole(p95)} s, longest ${whole(longest)} s; at most ${mostWaiting} pods at a time`,
)
const isFast = seconds < MOST_SECONDS
print(
  `${seconds.toFixed(1)} s of wall time (${cpu.toFixed(1)} s of processor time); threshold: ${MOST_SECONDS} s: ${isFast ? 'met' : 'missed'}`,
)
const settled = readings[SETTLED - 1]?.heap ?? 0
const last = readings.at(-1)?.heap ?? 0
const isFlat = last <= settled * (1 + MOST_GROWTH)
print(
  `heap ${settled.toFixed(1)} MiB after hour ${SETTLED}, ${last.toFixed(1)} MiB after hour ${hours}; threshold: no more than a tenth above: ${isFlat ? 'met' : 'missed'}`,
)
process.exitCode = isFast && isFlat ? 0 : 1
