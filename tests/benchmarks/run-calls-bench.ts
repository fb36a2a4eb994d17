import { writeFileSync } from 'node:fs'
import { programOptions } from '../../tools/program-options.ts'
import { aboveRecorded, countLines, HOUR, SETTLED } from './call-counts.ts'
import { type CallsBench, measureCalls } from './idle-calls.ts'
import { type CallCounts, recordedCalls, SIZES } from './recorded-calls.ts'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/**
 * Runs `npm run bench:calls -- NAME`. It counts the requests of Kerf in its first minute and in a steady hour, by the number of nodes, in
 * virtual time. It fails if a count exceeds the recorded one. With `--record` it measures all cluster sizes and writes the file instead.
 */
export const runCallsBench = async (bench: CallsBench): Promise<void> => {
  const { name, cloud, recorded: file } = bench
  const { values } = programOptions(
    `npm run bench:calls -- ${name}: the requests that Kerf makes to ${cloud} while idle, at several sizes of cluster. --record keeps the counts for docs and test.`,
    { options: { size: { type: 'string', multiple: true }, record: { type: 'boolean', default: false } } },
  )
  if (values.record && values.size !== undefined) {
    process.stderr.write('--record writes every count, and does not go with --size\n')
    process.exit(2)
  }
  const recorded = values.record ? {} : recordedCalls(file)
  const measured: Record<string, CallCounts> = {}
  const problems: string[] = []
  for (const size of values.size?.map(Number) ?? SIZES) {
    const counts = await measureCalls(bench, size, { settled: SETTLED, steady: HOUR })
    measured[`${size}`] = counts
    print(`\n${size} nodes: first minute, steady hour; ${counts.writes} requests changed something`)
    process.stdout.write(countLines(counts))
    if (counts.writes > 0) problems.push(`${size}: ${counts.writes} requests changed something`)
    problems.push(...aboveRecorded(counts, recorded[`${size}`]).map((each) => `${size}, ${each}`))
  }
  if (values.record) {
    writeFileSync(file, `${JSON.stringify(measured, undefined, 2)}\n`)
    print(`\nrecorded; npm run generate writes providers/${name}/docs/${name}-calls.md`)
  } else if (problems.length > 0) {
    print(`\nmore than before:\n${problems.join('\n')}`)
    process.exitCode = 1
  }
}
