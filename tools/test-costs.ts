// npm run test:costs [-- --from FOLDER …] [--keep-seconds]: prints what the tests cost, by ring and level. With --from, it first updates
// tests/support/costs/table.json from the records of a run (written with KERF_TEST_COSTS=FOLDER, including report.json of `npm run
// nightly`).
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileCost } from '../tests/support/costs/record.ts'
import { costSummary } from '../tests/support/costs/summary.ts'
import { type CaughtBug, costRows, mergedRows, type ReportedFile, tableText } from '../tests/support/costs/table.ts'
import { readTestTree, TABLE_FILE } from '../tests/support/selection/tree.ts'
import { programOptions, refuseOptions } from './program-options.ts'
import { root } from './source-files.ts'

const { values } = programOptions('npm run test:costs: prints what the tests cost, by ring and level.', {
  options: {
    from: { type: 'string', multiple: true },
    'keep-seconds': { type: 'boolean', default: false },
  },
})

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T
const REPORT = 'report.json'
const BUGS = 'bugs.json'

const { expensive, table, needs } = readTestTree()
let rows = table.rows
for (const folder of values.from ?? []) {
  if (!existsSync(folder)) refuseOptions(`--from ${folder}: there is no such folder`)
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== REPORT && name !== BUGS)
  const costs = names.map((name) => read<FileCost>(join(folder, name)))
  const report = join(folder, REPORT)
  const reported = existsSync(report) ? read<{ testResults?: readonly ReportedFile[] }>(report).testResults : []
  const bugs = join(folder, BUGS)
  const caught = existsSync(bugs) ? read<readonly CaughtBug[]>(bugs) : []
  const renewed = costRows(costs, reported ?? [], needs, caught)
  rows = mergedRows(rows, renewed, (file) => existsSync(join(root, file)), values['keep-seconds'])
}
if (values.from !== undefined) writeFileSync(TABLE_FILE, tableText(rows))

process.stdout.write(costSummary(rows, (file) => (expensive.has(file) ? '.ci/run and nightly' : 'npm test')))
