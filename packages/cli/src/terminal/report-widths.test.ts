import { fileURLToPath } from 'node:url'
import type { Output } from '@kerf/provider-contract'
import { terminalWidth, textWidth } from '@kerf/provider-kit/terminal'
import { expect, test } from 'vitest'
import { recordedText } from '../migrate/rehearse/recorded-report.ts'
import { runMigrate } from '../migrate/run-migrate.ts'

const guides = fileURLToPath(new URL('../../../../examples/older-guides', import.meta.url))
const phase = { name: 'before', cost: 1, peakCost: 1, nodes: 2, podHoursWaiting: 0, longestWait: 0, evictedByKerf: 0 }
const recorded = {
  ...{ span: 3_600_000, notInPlan: [], refused: [] },
  phases: [
    {
      ...phase,
      evictedByAutoscaler: 0,
      evictedByPlan: 0,
      boughtTwice: 0,
      foughtOver: [],
      violated: [],
      name: `before ${'a'.repeat(200)}`,
    },
  ],
}

/** The reports that contain a table, each with a function that writes the report. */
const REPORTS: readonly (readonly [string, (out: Output) => unknown])[] = [
  ['migrate manifests', (stderr) => runMigrate([guides], { output: 'yaml' }, { stdout: { write: () => {} }, stderr })],
  ['migrate rehearse', (out) => out.write(recordedText(recorded, terminalWidth(out)))],
]

const written = async (
  report: (out: Output) => unknown,
  terminal: Omit<Output, 'write'>,
): Promise<readonly string[]> => {
  let text = ''
  await report({ ...terminal, write: (part) => (text += part) })
  return text.split('\n')
}

test.each(REPORTS)('%s fits the width of a terminal, and is not cut in a pipe', async (_name, report) => {
  const whole = await written(report, {})
  expect(Math.max(...whole.map(textWidth))).toBeGreaterThan(100)
  const narrow = await written(report, { isTTY: true, columns: 100 })
  // The lines of the table, without the sentences after it.
  const table = narrow.slice(0, narrow.indexOf(''))
  expect(table.length).toBeGreaterThan(1)
  expect(Math.max(...table.map(textWidth))).toBeLessThanOrEqual(100)
  expect(table.some((line) => line.includes('…'))).toBe(true)
})
