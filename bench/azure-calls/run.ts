// npm run bench:azure-calls [-- --size N …] [--record]: what Kerf asks of Azure in its first minute and in a steady hour, by the
// number of nodes, in virtual time. The threshold of each operation is its count in `recorded-calls.json`. `--record` writes that
// file.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { aboveRecorded, countLines, HOUR, SETTLED } from '../call-counts.ts'
import { type CallCounts, measureCalls } from './measure.ts'
import { RECORDED, recordedCalls, SIZES } from './recorded-calls.ts'

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
  print(`\n${size} nodes: first minute, steady hour; ${counts.writes} requests changed something`)
  process.stdout.write(countLines(counts))
  if (counts.writes > 0) problems.push(`${size}: ${counts.writes} requests changed something`)
  problems.push(...aboveRecorded(counts, recorded[`${size}`]).map((each) => `${size}, ${each}`))
}
if (values.record) {
  writeFileSync(RECORDED, `${JSON.stringify(measured, undefined, 2)}\n`)
  print('\nrecorded; npm run generate writes docs/azure-calls.md')
} else if (problems.length > 0) {
  print(`\nmore than before:\n${problems.join('\n')}`)
  process.exitCode = 1
}
