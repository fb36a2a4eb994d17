import { type CostRow, processorSeconds } from './table.ts'

/** A row of the summary: the total costs of the test files of one kind. */
interface Line {
  readonly ring: string
  readonly level: string
  readonly rows: readonly CostRow[]
}

/** Returns the level of a test file: the tools that it needs, or else its kind of Node.js test. */
const levelOf = ({ needs, file }: CostRow): string =>
  needs.length > 0 ? needs.join(' + ') : /^(?:test|sim)\//.test(file) ? 'Node, stories and simulation' : 'Node, unit'

const sum = (rows: readonly CostRow[], value: (row: CostRow) => number): number =>
  rows.reduce((total, row) => total + value(row), 0)

/** Returns a Markdown table with the number of files and tests and their seconds, by ring and level. */
export const costSummary = (rows: readonly CostRow[], ringOf: (file: string) => string): string => {
  const rings = Map.groupBy(rows, ({ file }) => ringOf(file))
  const lines = [...rings]
    .toSorted()
    .flatMap(([ring, ofRing]): readonly Line[] => [
      ...[...Map.groupBy(ofRing, levelOf)].toSorted().map(([level, ofLevel]) => ({ ring, level, rows: ofLevel })),
      { ring, level: 'all', rows: ofRing },
    ])
  const text = lines.map(({ ring, level, rows: each }) => {
    const caught = `${sum(each, ({ caught: found }) => found)} | ${sum(each, ({ caughtAlone }) => caughtAlone)}`
    return `| ${ring} | ${level} | ${each.length} | ${sum(each, ({ tests }) => tests)} | ${sum(each, processorSeconds).toFixed(0)} | ${sum(each, ({ wallSeconds }) => wallSeconds).toFixed(0)} | ${caught} |`
  })
  return [
    '| ring | level | files | tests | processor seconds | wall seconds, one after the other | bugs caught | caught alone |',
    '|---|---|---|---|---|---|---|---|',
    ...text,
    '',
  ].join('\n')
}
