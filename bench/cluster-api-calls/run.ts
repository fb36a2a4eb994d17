// npm run bench:cluster-api-calls [-- --size N …] [--record]: what Kerf asks of the workload cluster and of the management
// cluster in its first minute and in a steady hour, by the number of nodes, in virtual time. The threshold of each call is its
// count in `recorded-calls.json`. `--record` writes that file.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type CallCounts, MINUTE, measureCalls } from './measure.ts'
import { aboveThreshold, RECORDED, recordedCalls, SIZES } from './recorded-calls.ts'

const SETTLED = 10 * MINUTE
const HOUR = 60 * MINUTE

const { values } = parseArgs({
  options: { size: { type: 'string', multiple: true }, record: { type: 'boolean', default: false } },
})
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const recorded = values.record ? {} : recordedCalls()
const measured: Record<string, CallCounts> = {}
const problems: string[] = []
for (const size of values.size?.map(Number) ?? SIZES) {
  const counts = await measureCalls(size, { settled: SETTLED, steady: HOUR })
  measured[`${size}`] = counts
  for (const cluster of ['workload', 'management'] as const) {
    const { firstMinute, steady } = counts[cluster]
    print(`\n${size} nodes, ${cluster} cluster: first minute, steady hour`)
    for (const call of [...new Set([...Object.keys(firstMinute), ...Object.keys(steady)])].sort())
      print(`${call.padEnd(44)}${`${firstMinute[call] ?? 0}`.padStart(6)}${`${steady[call] ?? 0}`.padStart(8)}`)
    const thresholds = recorded[`${size}`]?.[cluster]
    for (const period of ['firstMinute', 'steady'] as const)
      for (const each of aboveThreshold(counts[cluster][period], (call) => thresholds?.[period][call] ?? 0))
        problems.push(`${size}, ${cluster}, ${period}: ${each}`)
  }
}
if (values.record) {
  writeFileSync(RECORDED, `${JSON.stringify(measured, undefined, 2)}\n`)
  print('\nrecorded; npm run generate writes docs/cluster-api-calls.md')
} else if (problems.length > 0) {
  print(`\nmore than before:\n${problems.join('\n')}`)
  process.exitCode = 1
}
