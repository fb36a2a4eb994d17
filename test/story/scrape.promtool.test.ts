import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { scrapeOfProcess } from './scraped-process.ts'

/** What promtool's linter says of names that are upstream's, and that dashboards are written against; and of Node's own. */
const KNOWN = [
  /^nodejs_\S+ non-counter metrics should not have "_total" suffix$/,
  /^karpenter_\S+ non-histogram and non-summary metrics should not have "_count" suffix$/,
  /^karpenter_\S+ non-counter metrics should not have "_total" suffix$/,
  /^operator_\S+ non-histogram and non-summary metrics should not have "_count" suffix$/,
]

test('promtool understands a scrape, and finds fault with nothing but names that are not ours', async () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: await scrapeOfProcess(),
    encoding: 'utf8',
  })
  const complaints = stderr.split('\n').filter((line) => line !== '')
  expect(complaints.filter((line) => !KNOWN.some((known) => known.test(line)))).toEqual([])
  // 1 would be text that cannot be read, 3 is for the linter.
  expect(status).toBe(complaints.length === 0 ? 0 : 3)
})
