import { type Line, linePlot, usdAnHour } from './line-plot.ts'
import type { Run } from './measure.ts'

/** Returns one line per run: the cost over time after the number of pods was reduced. */
const linesOf = (runs: readonly Run[], name: string, colour: string): readonly Line[] =>
  runs.map(({ down }) => ({ name, colour, points: down.costs.map(([at, cost]) => [at / 1000, cost] as const) }))

/** Draws the hourly cost over time, after the number of pods was reduced. Earlier runs are grey, current ones blue. */
export const costPlot = (
  title: string,
  runs: { readonly before: readonly Run[]; readonly now: readonly Run[] },
): string => {
  const lines = [...linesOf(runs.before, 'before', '#8c959f'), ...linesOf(runs.now, 'now', '#0969da')]
  return linePlot(`Dollars an hour: ${title}`, lines, { unit: 's', text: usdAnHour, holds: true })
}
