import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { scrapeOfProcess } from './scraped-process.ts'

/**
 * The known findings of promtool's linter. They are about upstream's metric names, which dashboards use, and about metric names of Node.js.
 */
const KNOWN = [
  /^nodejs_\S+ non-counter metrics should not have "_total" suffix$/,
  /^karpenter_\S+ non-histogram and non-summary metrics should not have "_count" suffix$/,
  /^karpenter_\S+ non-counter metrics should not have "_total" suffix$/,
  /^operator_\S+ non-histogram and non-summary metrics should not have "_count" suffix$/,
]

test('promtool parses a scrape, and reports only names of upstream and Node', async () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: await scrapeOfProcess(),
    encoding: 'utf8',
  })
  const complaints = stderr.split('\n').filter((line) => line !== '')
  expect(complaints.filter((line) => !KNOWN.some((known) => known.test(line)))).toEqual([])
  // Exit code 1 means that the text cannot be parsed, 3 means findings of the linter.
  expect(status).toBe(complaints.length === 0 ? 0 : 3)
})
