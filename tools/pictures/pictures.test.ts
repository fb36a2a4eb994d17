import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from '../source-files.ts'
import { dashboardPictures } from './dashboard-pictures.ts'
import { toOpenMetrics } from './history.ts'
import { terminalPictures } from './terminal-pictures.ts'

const images = join(root, 'docs', 'images')
const there = readdirSync(images, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
  .map(({ parentPath, name }) =>
    join(parentPath, name)
      .slice(images.length + 1)
      .replaceAll('\\', '/'),
  )
  .sort()

/**
 * Returns whether the picture is a plot that a benchmark draws from its data (tests/benchmarks/HISTORY.md contains the command for each
 * plot).
 */
const isPlot = (picture: string): boolean => picture.startsWith('performance/') && picture.endsWith('.svg')

test('every picture is taken by npm run pictures, or is a benchmark’s plot', () => {
  const taken = [
    ...dashboardPictures.map((name) => `dashboard/${name}`),
    ...terminalPictures.map((name) => `terminal/${name}`),
  ]
  expect(there.filter((picture) => !isPlot(picture))).toEqual(taken.sort())
})

test('every picture is shown on a page', () => {
  const pages = sourceFiles('*.md').map(({ text }) => text)
  const isShown = (picture: string): boolean => pages.some((text) => text.includes(`images/${picture})`))
  expect(there.filter((picture) => !isShown(picture))).toEqual([])
})

test('scrapes become one document with the samples of each series together, in order of time', () => {
  const text = (cost: number): string =>
    `# HELP x\nkarpenter_nodepools_cost_total{nodepool="a"} ${cost}\nprocess_cpu_seconds_total 3\n`
  expect(
    toOpenMetrics([
      { at: 1_000, text: text(0.5) },
      { at: 61_000, text: text(0.7) },
    ]),
  ).toBe(
    'karpenter_nodepools_cost_total{nodepool="a"} 0.5 1.000\nkarpenter_nodepools_cost_total{nodepool="a"} 0.7 61.000\n# EOF\n',
  )
})
