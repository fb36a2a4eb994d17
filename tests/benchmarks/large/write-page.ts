/**
 * `npm run bench:large:page`: from the raw runs in runs/, writes the tables and graphs of tests/benchmarks/HISTORY.md about large clusters.
 * Measures nothing.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { linePlot } from '../beside/line-plot.ts'
import { withPart } from '../beside/page.ts'
import type { LargeRun, Sample } from './large-run.ts'
import { largeBars, runTable } from './page.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
/** The documentation page with the current figures. */
const CURRENT = at('../../../docs/performance.md')
const PAGE = at('../HISTORY.md')
const IMAGES = at('../../../docs/images/performance')
const ORDINARY = 5_000

const runs = readdirSync(at('runs'))
  .filter((file) => file.endsWith('.json.gz'))
  .map((file) => JSON.parse(gunzipSync(readFileSync(at(`runs/${file}`))).toString()) as LargeRun)
  .sort((a, b) => a.nodes - b.nodes || a.measuredAt.localeCompare(b.measuredAt))

const ordinary = runs.filter(({ nodes }) => nodes === ORDINARY)
const first = ordinary.find(({ autoscaler }) => autoscaler === 'kerf')
const judged = ordinary.findLast(({ autoscaler }) => autoscaler === 'kerf')
let page = withPart(readFileSync(PAGE, 'utf8'), 'runs', runTable(runs), 'bench:large')
if (judged !== undefined) page = withPart(page, 'bars', largeBars(judged), 'bench:large')
writeFileSync(PAGE, page)

const upstream = ordinary.findLast(({ autoscaler }) => autoscaler !== 'kerf')
const newest = [judged, upstream].filter((run) => run !== undefined)
writeFileSync(CURRENT, withPart(readFileSync(CURRENT, 'utf8'), 'runs', runTable(newest), 'bench:large'))

const OLD = '#57606a'
const UPSTREAM = '#bc4c00'
const NEW = '#0969da'
/** Draw only Kerf's first and newest runs and those of upstream, because more would not fit into the legend. */
const isDrawn = (run: LargeRun): boolean => run.autoscaler !== 'kerf' || run === first || run === judged
const draw = (file: string, title: string, of: (sample: Sample) => number, text: (y: number) => string): void => {
  const lines = ordinary.filter(isDrawn).map((run) => ({
    name: run.autoscaler === 'kerf' ? `kerf ${run.commit}` : run.autoscaler,
    colour: run.autoscaler !== 'kerf' ? UPSTREAM : run === judged ? NEW : OLD,
    points: run.hour.samples.map((sample) => [sample.seconds / 60, of(sample)] as const),
  }))
  writeFileSync(`${IMAGES}/${file}`, linePlot(title, lines, { unit: 'min', text, holds: false }))
}
draw(
  'large-core.svg',
  'Cores while 5,000 nodes change as in an ordinary hour',
  ({ core }) => core,
  (y) => y.toFixed(2),
)
draw('large-memory.svg', 'MiB while 5,000 nodes change as in an ordinary hour', ({ mebibytes }) => mebibytes, String)
