// npm run bench:calls -- cluster-api [--size N …] [--record]: counts the calls of Kerf to the workload cluster and to the management
// cluster in its first minute and in a steady hour, by the number of nodes, in virtual time. The threshold of each call is its count in
// `recorded-calls.json`. `--record` writes that file.
import { writeFileSync } from 'node:fs'
import { aboveRecorded, countLines, HOUR, SETTLED } from '../../../tests/benchmarks/call-counts.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { type CallCounts, measureCalls } from './measure.ts'
import { RECORDED, recordedCalls, SIZES } from './recorded-calls.ts'

const { values } = programOptions(
  'npm run bench:calls -- cluster-api: the requests that Kerf makes to a management cluster in a quiet hour and for a burst of nodes, at several sizes. --record keeps the counts for docs and test.',
  {
    options: { size: { type: 'string', multiple: true }, record: { type: 'boolean', default: false } },
  },
)
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
    print(`\n${size} nodes, ${cluster} cluster: first minute, steady hour`)
    process.stdout.write(countLines(counts[cluster]))
    const above = aboveRecorded(counts[cluster], recorded[`${size}`]?.[cluster])
    problems.push(...above.map((each) => `${size}, ${cluster}, ${each}`))
  }
}
if (values.record) {
  writeFileSync(RECORDED, `${JSON.stringify(measured, undefined, 2)}\n`)
  print('\nrecorded; npm run generate writes providers/cluster-api/docs/cluster-api-calls.md')
} else if (problems.length > 0) {
  print(`\nmore than before:\n${problems.join('\n')}`)
  process.exitCode = 1
}
