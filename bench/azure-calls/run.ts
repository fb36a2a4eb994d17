// npm run bench:azure-calls [-- --size N …] [--record]: what Kerf asks of Azure in its first minute and in a steady hour, by the
// number of nodes, in virtual time. The threshold of each operation is its count in `recorded-calls.json`. `--record` writes that
// file.
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
  const { firstMinute, steady } = counts
  print(`\n${size} nodes: first minute, steady hour; ${counts.writes} requests changed something`)
  for (const name of [...new Set([...Object.keys(firstMinute), ...Object.keys(steady)])].sort())
    print(`${name.padEnd(44)}${`${firstMinute[name] ?? 0}`.padStart(6)}${`${steady[name] ?? 0}`.padStart(8)}`)
  if (counts.writes > 0) problems.push(`${size}: ${counts.writes} requests changed something`)
  const thresholds = recorded[`${size}`]
  for (const period of ['firstMinute', 'steady'] as const)
    for (const each of aboveThreshold(counts[period], (name) => thresholds?.[period][name] ?? 0))
      problems.push(`${size}, ${period}: ${each}`)
}
if (values.record) {
  writeFileSync(RECORDED, `${JSON.stringify(measured, undefined, 2)}\n`)
  print('\nrecorded; npm run generate writes docs/azure-calls.md')
} else if (problems.length > 0) {
  print(`\nmore than before:\n${problems.join('\n')}`)
  process.exitCode = 1
}
