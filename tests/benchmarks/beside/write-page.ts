/**
 * `npm run bench:beside:page`: writes tables and graphs from the raw runs in runs/. Measures nothing. tests/benchmarks/HISTORY.md
 * compares medians with the targets, docs/performance.md has the current medians, and runs/README.md has all series.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { barTable, moveBars, upBars } from './bars.ts'
import { linePlot, usdAnHour } from './line-plot.ts'
import { figureTable, MOVES, medianTable, UP, withPart } from './page.ts'
import { type RawRun, readSeries } from './raw-runs.ts'
import { type Series, seriesRows } from './series.ts'

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const CURRENT = fileOf('../../../docs/performance.md')
const PAGE = fileOf('../HISTORY.md')
const IMAGES = fileOf('../../../docs/images/performance')
const EVERY_SERIES = fileOf('runs/README.md')
const SIZES = [10, 200, 1_000, 3_000]

const seconds = (points: readonly (readonly [number, number])[]) =>
  points.map(([at, value]) => [at / 1000, value] as const)

const cut = readSeries('cut')
const drift = cut.filter(({ run }) => run.drifted !== undefined)
const judged = SIZES.flatMap((size) => [
  { title: `${size.toLocaleString('en')} pods`, runs: readSeries(String(size)), alone: readSeries(`alone-${size}`) },
  { title: `${size.toLocaleString('en')} pods, started 15 s before`, runs: readSeries(`started-${size}`), alone: [] },
])
  .filter(({ runs }) => runs.length > 0)
  .map(({ title, runs, alone }) => ({ title, bars: upBars(runs, alone) }))

let page = readFileSync(PAGE, 'utf8')
page = withPart(page, 'last-pod-bars', barTable(judged))
if (cut.length > 0) {
  const bars = moveBars(cut, drift, readSeries('fresh-300'))
  page = withPart(page, 'moves-bars', barTable([{ title: '1,000 to 300 pods', bars }]))
}
writeFileSync(PAGE, page)

const isCompared = ({ when, remark }: Series): boolean => when === 'now' && !remark.startsWith('Kerf alone')
let current = readFileSync(CURRENT, 'utf8')
current = withPart(current, 'last-pod', medianTable(UP, seriesRows('up', isCompared)))
const moves = [...seriesRows('down', isCompared), ...seriesRows('drifted', isCompared)]
current = withPart(current, 'moves', medianTable(MOVES, moves))
writeFileSync(CURRENT, current)

let every = readFileSync(EVERY_SERIES, 'utf8')
every = withPart(
  every,
  'last-pod',
  figureTable(
    UP,
    seriesRows('up', () => true),
  ),
)
every = withPart(
  every,
  'moves',
  figureTable(MOVES, [...seriesRows('down', () => true), ...seriesRows('drifted', () => true)]),
)
writeFileSync(EVERY_SERIES, every)

const colours = (autoscaler: string): string => (autoscaler === 'upstream' ? '#bc4c00' : '#0969da')
const graph = (
  file: string,
  title: string,
  runs: readonly RawRun[],
  points: (raw: RawRun) => readonly (readonly [number, number])[],
  text: (value: number) => string,
): void => {
  if (runs.length === 0) return
  const lines = runs.map((raw) => ({
    name: raw.run.autoscaler,
    colour: colours(raw.run.autoscaler),
    points: seconds(points(raw)),
  }))
  writeFileSync(`${IMAGES}/${file}.svg`, linePlot(title, lines, { unit: 's', text, holds: true }))
}
for (const size of SIZES) {
  const title = `Pods that have a node: ${size.toLocaleString('en')} mixed pods, from nothing`
  graph(`bound-${size}`, title, readSeries(String(size)), ({ run }) => run.up.bound, String)
}
const cutTitle = 'Dollars an hour after the cut from 1,000 mixed pods to 300, real control plane'
graph('cut', cutTitle, cut, ({ run }) => run.down.costs, usdAnHour)
