/**
 * The report that the totals reporter writes for a run.
 * @typedef {{status: string, name: string}} Assertion
 * @typedef {{status: string, file: string, milliseconds: number, assertionResults: readonly Assertion[]}} TestFile
 * @typedef {{seconds: number, running: readonly string[]}} Stopped a run that was stopped at its limit
 * @typedef {{testResults?: readonly TestFile[], stopped?: Stopped}} Report
 */

/**
 * Adds up the results that the totals reporter wrote. If a file could not be loaded, it counts as one failure. If all tests passed but the
 * run failed (because of an unhandled error), that also counts as one failure.
 * @param {{testResults?: readonly {status: string, assertionResults: readonly {status: string}[]}[]} | undefined} report
 * @param {boolean} succeeded whether Vitest's exit code was 0
 * @returns {{passed: number, failed: number, skipped: number}}
 */
export const testTotals = (report, succeeded) => {
  const totals = { passed: 0, failed: 0, skipped: 0 }
  for (const file of report?.testResults ?? []) {
    for (const test of file.assertionResults) {
      if (test.status === 'passed') totals.passed += 1
      else if (test.status === 'failed') totals.failed += 1
      else totals.skipped += 1
    }
    const failedBelow = file.assertionResults.some((test) => test.status === 'failed')
    if (file.status === 'failed' && !failedBelow) totals.failed += 1
  }
  if (!succeeded && totals.failed === 0) totals.failed = 1
  return totals
}

/** If a run has at least this many files, it reports the slowest ones. */
const MANY_FILES = 20
const SLOWEST = 10

/**
 * Returns a text with the ten slowest files and their seconds; empty if the run has few files.
 * @param {Report | undefined} report
 * @returns {string}
 */
export const slowestText = (report) => {
  const files = report?.testResults ?? []
  if (files.length < MANY_FILES) return ''
  const slowest = [...files].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST)
  const lines = slowest.map(({ file, milliseconds }) => `  ${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${file}`)
  return `${[`the ${SLOWEST} slowest of ${files.length} test files:`, ...lines].join('\n')}\n`
}

/**
 * Returns the message for a run that was stopped at its limit: the tests that were running, and the files that had finished. Empty for
 * other runs.
 * @param {Report | undefined} report
 * @returns {string}
 */
export const stoppedText = (report) => {
  const { stopped, testResults = [] } = report ?? {}
  if (stopped === undefined) return ''
  return [
    `stopped: the run met its limit of ${stopped.seconds} s (KERF_TEST_LIMIT_SECONDS). These tests were running:`,
    ...stopped.running.map((name) => `  ${name}`),
    `${testResults.length} test files had finished:`,
    ...testResults.map(({ file, status }) => `  ${status.padEnd(8)} ${file}`),
    '',
  ].join('\n')
}

/**
 * Returns the last line of `npm test`.
 * @param {{passed: number, failed: number, skipped: number}} totals
 */
export const totalsLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
