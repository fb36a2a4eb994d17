import { type Line, linePlot, usdAnHour } from './line-plot.ts'
import type { Run } from './measure.ts'

/** One line for each run: what it cost after the cut, over time. */
const linesOf = (runs: readonly Run[], name: string, colour: string): readonly Line[] =>
  runs.map(({ down }) => ({ name, colour, points: down.costs.map(([at, cost]) => [at / 1000, cost] as const) }))

/** Dollars per hour after the cut, over time: earlier runs in grey, those of now in blue. */
export const costPlot = (
  title: string,
  runs: { readonly before: readonly Run[]; readonly now: readonly Run[] },
): string => {
  const lines = [...linesOf(runs.before, 'before', '#8c959f'), ...linesOf(runs.now, 'now', '#0969da')]
  return linePlot(`Dollars an hour: ${title}`, lines, { unit: 's', text: usdAnHour, holds: true })
}
