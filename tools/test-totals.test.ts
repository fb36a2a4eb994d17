import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'
import { type Report, slowestText, stoppedText, testTotals } from './test-totals.mjs'

/** Runs Vitest on a test file with this text, and returns what the reporter wrote. */
const parseReport = (text: string, env: NodeJS.ProcessEnv = {}): Report => {
  const folder = mkdtempSync(join(root, 'tools', 'sample-'))
  try {
    const file = join(folder, 'sample.test.ts')
    const report = join(folder, 'report.json')
    writeFileSync(file, text)
    spawnSync(
      process.execPath,
      [
        join(root, 'node_modules', 'vitest', 'vitest.mjs'),
        'run',
        `--root=${folder}`,
        `--reporter=${join(root, 'tools', 'totals-reporter.mjs')}`,
      ],
      { cwd: folder, env: { ...process.env, KERF_TEST_REPORT: report, ...env }, encoding: 'utf8' },
    )
    return JSON.parse(readFileSync(report, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('counts what passed, failed and was skipped', () => {
  const report = parseReport(`
    import { expect, test } from 'vitest'
    test('fine', () => {})
    test.skip('not now', () => {})
    test('never', () => expect(1).toBe(2))
  `)
  expect(testTotals(report, false)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  expect(stoppedText(report)).toBe('')
})

test('if a run is stopped at its limit, the message names the running tests and the finished files', () => {
  const report = parseReport(
    `
    import { test } from 'vitest'
    test('fine', () => {})
    test('endless', () => new Promise(() => {}))
  `,
    { KERF_TEST_LIMIT_SECONDS: '2' },
  )
  expect(stoppedText(report)).toBe(
    [
      'stopped: the run met its limit of 2 s (KERF_TEST_LIMIT_SECONDS). These tests were running:',
      '  sample.test.ts > endless',
      '0 test files had finished:',
      '',
    ].join('\n'),
  )
  expect(testTotals(report, false)).toMatchObject({ failed: 1 })
})

test('a long run reports its slowest files with their total cost', () => {
  const report = parseReport(`
    import { test } from 'vitest'
    test('fine', () => {})
  `)
  const one = report?.testResults?.[0]
  expect(one).toMatchObject({ file: 'sample.test.ts', milliseconds: expect.any(Number) })
  const many = Array.from({ length: 25 }, (_, index) => ({
    status: 'passed',
    assertionResults: [],
    file: `file-${index}.test.ts`,
    milliseconds: index * 1000,
  }))
  const text = slowestText({ testResults: many })
  expect(text.split('\n').slice(0, 3)).toEqual([
    'the 10 slowest of 25 test files:',
    '    24.0 s  file-24.test.ts',
    '    23.0 s  file-23.test.ts',
  ])
  expect(text).not.toContain('file-14.test.ts')
  expect(slowestText(report)).toBe('')
})
