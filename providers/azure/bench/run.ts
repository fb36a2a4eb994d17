// npm run bench:calls -- azure [--size N …] [--nodes vms|machines …] [--record]: counts the requests of Kerf to Azure in its first minute
// and in a steady hour, by the kind and number of nodes, in virtual time. The threshold of each operation is its count in
// `recorded-calls.json`. `--record` measures all cluster sizes and writes that file.
import { writeFileSync } from 'node:fs'
import { aboveRecorded, countLines, HOUR, SETTLED } from '../../../tests/benchmarks/call-counts.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { type CallCounts, measureCalls, NODE_KINDS, type NodeKind } from './measure.ts'
import { RECORDED, type RecordedCalls, recordedCalls, SIZES } from './recorded-calls.ts'

const { values } = programOptions(
  'npm run bench:calls -- azure: the requests that Kerf makes to Azure in a quiet hour and for a burst of nodes, at several sizes of cluster. --record keeps the counts for docs and test.',
  {
    options: {
      size: { type: 'string', multiple: true },
      nodes: { type: 'string', multiple: true },
      record: { type: 'boolean', default: false },
    },
  },
)
const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const isNodeKind = (kind: string): kind is NodeKind => NODE_KINDS.some((each) => each === kind)
const wrong = values.nodes?.find((kind) => !isNodeKind(kind))
const isPart = values.size !== undefined || values.nodes !== undefined
if (wrong !== undefined || (values.record && isPart)) {
  const problem =
    wrong === undefined
      ? '--record writes every count, and goes with neither --size nor --nodes'
      : `--nodes ${wrong}: vms or machines`
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}

const recorded: RecordedCalls = values.record ? {} : recordedCalls()
const measured: Partial<Record<NodeKind, Record<string, CallCounts>>> = {}
const problems: string[] = []
const kinds = NODE_KINDS.filter((kind) => values.nodes?.includes(kind) ?? true)
for (const kind of kinds) {
  const ofKind: Record<string, CallCounts> = {}
  measured[kind] = ofKind
  for (const size of values.size?.map(Number) ?? SIZES) {
    const counts = await measureCalls(size, { settled: SETTLED, steady: HOUR, kind })
    ofKind[`${size}`] = counts
    print(`\n${size} nodes, ${kind}: first minute, steady hour; ${counts.writes} requests changed something`)
    process.stdout.write(countLines(counts))
    if (counts.writes > 0) problems.push(`${size} ${kind}: ${counts.writes} requests changed something`)
    problems.push(...aboveRecorded(counts, recorded[kind]?.[`${size}`]).map((each) => `${size} ${kind}, ${each}`))
  }
}
if (values.record) {
  writeFileSync(RECORDED, `${JSON.stringify(measured, undefined, 2)}\n`)
  print('\nrecorded; npm run generate writes providers/azure/docs/azure-calls.md')
} else if (problems.length > 0) {
  print(`\nmore than before:\n${problems.join('\n')}`)
  process.exitCode = 1
}
