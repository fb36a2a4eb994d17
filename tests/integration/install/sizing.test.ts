import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseQuantity, toWhole } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { recordedCalls as awsCalls } from '../../../providers/aws/bench/recorded-calls.ts'
import { recordedCalls as clusterApiCalls } from '../../../providers/cluster-api/bench/recorded-calls.ts'
import { root } from '../../../tools/source-files.ts'

const read = (page: string): string => readFileSync(join(root, 'docs', page), 'utf8')
const page = read('sizing.md')
const number = (text: string): number => Number(text.replaceAll(',', ''))

/** Returns the rows of the table under a heading, as arrays of cells and without the header. */
const rowsUnder = (heading: string, text = page): readonly (readonly string[])[] =>
  (text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

const MEBIBYTE = 2 ** 20
const advised = rowsUnder('What to set')
const measured = rowsUnder('What was measured')
/** The heap limit as a share of the memory limit, as set in `packages/cli/src/run` and documented in docs/reference/chart-values.md. */
const HEAP = 0.9

describe('what docs/sizing.md says', () => {
  test.each(measured)(
    '%s nodes: the recommended size is at least twice the measured maximum',
    (nodes, _pods, reading, pass) => {
      const [, , memory = ''] = advised.find(([size]) => size === nodes) ?? []
      const peak = Math.max(number(reading ?? ''), number(pass ?? ''))
      expect(peak).toBeGreaterThan(0)
      expect((HEAP * toWhole(parseQuantity(memory))) / MEBIBYTE).toBeGreaterThan(1.8 * peak)
    },
  )

  test('its pass times equal those of docs/disruption.md for the sizes that both pages have', () => {
    // The columns of the table are: Nodes, Reading, Each, Several, All, All (processor), Peak MiB.
    const passes = rowsUnder('Measured', read('disruption.md')).filter(
      (row) => row.length === 7 && /^[\d,]+$/.test(row[0] ?? ''),
    )
    expect(passes).toHaveLength(4)
    for (const [nodes, , , , , processor = '', peak] of passes) {
      const row = measured.find(([size]) => size === nodes)
      if (row === undefined) continue
      expect([nodes, row[3], row[4]]).toEqual([nodes, peak, processor.split(' ')[0]])
    }
    expect(passes.filter(([nodes]) => measured.some(([size]) => size === nodes))).toHaveLength(3)
  })

  test('its numbers of calls equal the counted calls', () => {
    const sum = (counts: Readonly<Record<string, number>> = {}): number =>
      Object.values(counts).reduce((a, b) => a + b, 0)
    const { kerf } = awsCalls()
    const instances = (size: string) =>
      [kerf[size]?.firstMinute, kerf[size]?.steadyHour].map((counts) => counts?.['ec2:DescribeInstances'])
    const management = clusterApiCalls()['1000']?.['management']
    const rows = rowsUnder('Calls').slice(0, 3)
    expect(rows.map(([, first = '', hour = '']) => [number(first), number(hour)])).toEqual([
      instances('1000'),
      [sum(kerf['1000']?.firstMinute), sum(kerf['1000']?.steadyHour)],
      [sum(management?.firstMinute), sum(management?.steady)],
    ])
    const [first, hour] = instances('5000')
    expect(page).toContain(
      `\`DescribeInstances\` ${first} times in the first minute and ${hour} times in a steady hour`,
    )
  })

  test('its example values are those of the row for 1,000 nodes, and exist in the chart', () => {
    const [, yaml = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? []
    const [, cpu, memory] = advised.find(([size]) => size === '1,000') ?? []
    expect(parse(yaml)).toEqual({ controller: { resources: { requests: { cpu, memory }, limits: { memory } } } })
    const { properties } = JSON.parse(readFileSync(join(root, 'deploy/charts/karpenter/values.schema.json'), 'utf8'))
    expect(properties.controller.properties).toHaveProperty('resources')
  })
})
