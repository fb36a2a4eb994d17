/**
 * `npm run bench:beside:page`: writes the tables of docs/performance.md that come from a real control plane, and their graphs, from
 * the raw runs in runs/. Measures nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { barTable, moveBars, upBars } from './bars.ts'
import { linePlot, usdAnHour } from './line-plot.ts'
import { MOVES, type SeriesRows, tableOf, UP, withPart } from './page.ts'
import { type RawRun, readSeries } from './raw-runs.ts'

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
const IMAGES = fileURLToPath(new URL('../../docs/images/performance', import.meta.url))
const SIZES = [10, 200, 1_000, 3_000]

const up = (title: string, runs: readonly RawRun[]): SeriesRows => ({ title, runs, phase: ({ run }) => run.up })
const known = (series: readonly SeriesRows[]): readonly SeriesRows[] => series.filter(({ runs }) => runs.length > 0)
const seconds = (points: readonly (readonly [number, number])[]) =>
  points.map(([at, value]) => [at / 1000, value] as const)

const ups = SIZES.flatMap((size) => [
  up(`${size} pods, before`, readSeries(`before-${size}`)),
  up(`${size} pods, earlier`, readSeries(`earlier-${size}`)),
  up(`${size} pods, on a busy machine`, readSeries(`loaded-${size}`)),
  up(`${size} pods, two changes earlier`, readSeries(`previous-${size}`)),
  up(`${size} pods, from the sources`, readSeries(`sources-${size}`)),
  up(`${size} pods, refused pods alone planned`, readSeries(`planned-late-${size}`)),
  up(`${size} pods`, readSeries(String(size))),
  up(`${size} pods, started 15 s before`, readSeries(`started-${size}`)),
  up(`${size} pods, Kerf alone, from the sources`, readSeries(`sources-alone-${size}`)),
  up(`${size} pods, Kerf alone`, readSeries(`alone-${size}`)),
])
const cut = readSeries('cut')
const drift = [...readSeries('drift'), ...cut.filter(({ run }) => run.drifted !== undefined)]
const cutBefore = readSeries('sources-cut')
const moves: readonly SeriesRows[] = [
  { title: '1,000 to 300 pods, from the sources', runs: cutBefore, phase: ({ run }) => run.down },
  { title: '1,000 to 300 pods, replacements together', runs: readSeries('joined-cut'), phase: ({ run }) => run.down },
  { title: '1,000 to 300 pods, without the taint', runs: readSeries('earlier-cut'), phase: ({ run }) => run.down },
  { title: '1,000 to 300 pods', runs: cut, phase: ({ run }) => run.down },
  {
    title: '300 pods, all nodes drift, from the sources',
    runs: cutBefore.filter(({ run }) => run.drifted !== undefined),
    phase: ({ run }) => run.drifted,
  },
  {
    title: '300 pods, all nodes drift, pods of a node at once',
    runs: readSeries('earlier-drift'),
    phase: ({ run }) => run.drifted,
  },
  { title: '300 pods, all nodes drift', runs: drift, phase: ({ run }) => run.drifted },
]

let page = readFileSync(PAGE, 'utf8')
page = withPart(page, 'last-pod', tableOf(UP, known(ups)))
const judged = SIZES.flatMap((size) => [
  { title: `${size} pods`, runs: readSeries(String(size)), alone: readSeries(`alone-${size}`) },
  { title: `${size} pods, started 15 s before`, runs: readSeries(`started-${size}`), alone: [] },
])
  .filter(({ runs }) => runs.length > 0)
  .map(({ title, runs, alone }) => ({ title, bars: upBars(runs, alone) }))
page = withPart(page, 'last-pod-bars', barTable(judged))
if (cut.length > 0) {
  page = withPart(page, 'moves', tableOf(MOVES, known(moves)))
  const bars = moveBars(cut, drift, readSeries('fresh-300'))
  page = withPart(page, 'moves-bars', barTable([{ title: '1,000 to 300 pods', bars }]))
}
writeFileSync(PAGE, page)

const colours = (autoscaler: string): string => (autoscaler === 'upstream' ? '#bc4c00' : '#0969da')
for (const size of SIZES) {
  const runs = readSeries(String(size))
  if (runs.length === 0) continue
  const lines = runs.map(({ run }) => ({
    name: run.autoscaler,
    colour: colours(run.autoscaler),
    points: seconds(run.up.bound),
  }))
  const title = `Pods that have a node: ${size.toLocaleString('en')} mixed pods, from nothing`
  writeFileSync(`${IMAGES}/bound-${size}.svg`, linePlot(title, lines, { unit: 's', text: String, holds: true }))
}
if (cut.length > 0) {
  const lines = cut.map(({ run }) => ({
    name: run.autoscaler,
    colour: colours(run.autoscaler),
    points: seconds(run.down.costs),
  }))
  const title = 'Dollars an hour after the cut from 1,000 mixed pods to 300, real control plane'
  writeFileSync(`${IMAGES}/cut.svg`, linePlot(title, lines, { unit: 's', text: usdAnHour, holds: true }))
}
