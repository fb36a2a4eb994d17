// npm run bench:oci-calls [-- --size N …] [--record]: counts the requests of Kerf to Oracle Cloud in its first minute and in a steady
// hour, by the number of nodes, in virtual time. The threshold of each operation is its count in `recorded-calls.json`. `--record` measures
// all and writes that file.
import { writeFileSync } from 'node:fs'
import { aboveRecorded, countLines, HOUR, SETTLED } from '../../../tests/benchmarks/call-counts.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { type CallCounts, measureCalls } from './measure.ts'
import { RECORDED, type RecordedCalls, recordedCalls, SIZES } from './recorded-calls.ts'

const { values } = programOptions(
  'npm run bench:oci-calls: the requests that Kerf makes to Oracle Cloud while idle, at several sizes of cluster. --record keeps the counts for docs and test.',
  { options: { size: { type: 'string', multiple: true }, record: { type: 'boolean', default: false } } },
)
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

if (values.record && values.size !== undefined) {
  process.stderr.write('--record writes every count, and does not go with --size\n')
  process.exit(2)
}

const recorded: RecordedCalls = values.record ? {} : recordedCalls()
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
  print('\nrecorded; npm run generate writes providers/oci/docs/oci-calls.md')
} else if (problems.length > 0) {
  print(`\nmore than before:\n${problems.join('\n')}`)
  process.exitCode = 1
}
