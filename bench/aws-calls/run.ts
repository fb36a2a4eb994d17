// npm run bench:aws-calls [-- --size N …] [--record]: what Kerf asks of AWS in its first minute and in a steady hour, by the
// number of nodes, in virtual time. The threshold of each action is its count in `recorded-calls.json`. `--record` writes that file.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MINUTE, measureCalls } from './measure.ts'
import { aboveThreshold, RECORDED, type RecordedSizes, recordedCalls, SIZES } from './recorded-calls.ts'

const SETTLED = 10 * MINUTE
const HOUR = 60 * MINUTE

const { values } = parseArgs({
  options: { size: { type: 'string', multiple: true }, record: { type: 'boolean', default: false } },
})
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
  for (const action of [...new Set([...Object.keys(firstMinute), ...Object.keys(steady)])].sort())
    print(`${action.padEnd(36)}${`${firstMinute[action] ?? 0}`.padStart(6)}${`${steady[action] ?? 0}`.padStart(8)}`)
  const thresholds = recorded.kerf[`${size}`]
  problems.push(
    ...aboveThreshold(firstMinute, (action) => thresholds?.firstMinute[action] ?? 0).map(
      (each) => `${size}, first minute: ${each}`,
    ),
    ...aboveThreshold(steady, (action) => thresholds?.steadyHour[action] ?? 0).map(
      (each) => `${size}, steady hour: ${each}`,
    ),
  )
}
if (values.record) {
  const all = { ...recorded, kerf: { ...recorded.kerf, ...measured } }
  writeFileSync(RECORDED, `${JSON.stringify(all, undefined, 2)}\n`)
  print('\nrecorded; npm run generate writes docs/aws-calls.md')
} else if (problems.length > 0) {
  print(`\nmore than before:\n${problems.join('\n')}`)
  process.exitCode = 1
}
