// npm run bench:calls -- aws [--size N …] [--record]: counts Kerf's calls to AWS in its first minute and in a steady hour, by number of
// nodes, in virtual time. No count may exceed the one in `recorded-calls.json`. `--record` writes that file.
import { writeFileSync } from 'node:fs'
import { aboveRecorded, countLines, HOUR, SETTLED } from '../../../tests/benchmarks/call-counts.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { measureCalls } from './measure.ts'
import { RECORDED, type RecordedSizes, recordedCalls, SIZES } from './recorded-calls.ts'

const { values } = programOptions(
  'npm run bench:calls -- aws: the calls that Kerf makes to AWS in a quiet hour and for a burst of nodes, at several sizes of cluster. --record keeps the counts for docs and test.',
  {
    options: { size: { type: 'string', multiple: true }, record: { type: 'boolean', default: false } },
  },
)
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const recorded = recordedCalls()
const measured: Record<string, RecordedSizes[string]> = {}
const problems: string[] = []
for (const size of values.size?.map(Number) ?? SIZES) {
  const { firstMinute, steady, refused } = await measureCalls(size, { settled: SETTLED, steady: HOUR })
  measured[`${size}`] = { firstMinute, steadyHour: steady }
  print(`\n${size} nodes: first minute, steady hour${refused > 0 ? `; AWS refused ${refused}` : ''}`)
  process.stdout.write(countLines({ firstMinute, steady }))
  const thresholds = recorded.kerf[`${size}`]
  const before = thresholds && { firstMinute: thresholds.firstMinute, steady: thresholds.steadyHour }
  problems.push(...aboveRecorded({ firstMinute, steady }, before).map((each) => `${size}, ${each}`))
}
if (values.record) {
  const all = { ...recorded, kerf: { ...recorded.kerf, ...measured } }
  writeFileSync(RECORDED, `${JSON.stringify(all, undefined, 2)}\n`)
  print('\nrecorded; npm run generate writes providers/aws/docs/aws-calls.md')
} else if (problems.length > 0) {
  print(`\nmore than before:\n${problems.join('\n')}`)
  process.exitCode = 1
}
