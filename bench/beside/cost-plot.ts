import { plot, type Series, usd } from '../../cli/src/simulate/plot.ts'
import type { Run } from './measure.ts'

const MILLISECONDS_PER_HOUR = 3_600_000
const STYLE =
  '<style>text{font:12px sans-serif;fill:#57606a}.left{text-anchor:end;dominant-baseline:middle}.below{text-anchor:middle}' +
  '.grid{stroke:#d0d7de;stroke-width:1}.line{fill:none;stroke-width:1.4;stroke-opacity:.75}</style>' +
  '<rect width="100%" height="100%" fill="#fff"/>'

/** One line for each run, all of the same length: a cluster that has settled goes on at its price. */
const linesOf = (runs: readonly Run[], name: string, colour: string, until: number): readonly Series[] =>
  runs.map(({ down }) => ({
    name,
    colour,
    points: [...down.costs, [until, down.hourlyCost] as const].map(([at, cost]) => [at / MILLISECONDS_PER_HOUR, cost]),
  }))

/** Dollars per hour after the cut, over time, as a picture of its own: earlier runs in grey, those of now in blue. */
export const costPlot = (
  title: string,
  runs: { readonly before: readonly Run[]; readonly now: readonly Run[] },
): string => {
  const until = Math.max(...[...runs.before, ...runs.now].map(({ down }) => down.lastChange)) * 1.05
  const lines = [...linesOf(runs.before, 'before', '#8c959f', until), ...linesOf(runs.now, 'now', '#0969da', until)]
  const drawn = plot(title, lines, usd)
  const svg = drawn.slice(drawn.indexOf('<svg'), drawn.indexOf('</figure>'))
  return `${svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ').replace('>', `>${STYLE}`)}\n`
}
