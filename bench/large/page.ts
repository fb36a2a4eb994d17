import { type Bar, barTable } from '../beside/bars.ts'
import { type LargeRun, quantile, THRESHOLDS } from './large-run.ts'
import { ARRIVALS_PER_NODE } from './objects.ts'

const HEAD = [
  'nodes',
  'autoscaler',
  'minutes',
  'load',
  'first decision, s',
  'of it computed, s',
  'cores',
  'MiB',
  'requests/s',
  'KiB/s received',
  'arrivals',
  'reaction, s: median',
  'p99',
  'sandbox: cores',
  'late, ms (p99)',
]

const titleOf = ({ autoscaler, commit }: LargeRun): string =>
  autoscaler === 'kerf' ? `kerf \`${commit}\`` : autoscaler

const cellsOf = (run: LargeRun): readonly string[] => {
  const { hour, reactions } = run
  const arrivals =
    reactions.length === run.groups
      ? `${run.groups * ARRIVALS_PER_NODE}`
      : `${reactions.length * ARRIVALS_PER_NODE} of ${run.groups * ARRIVALS_PER_NODE}`
  return [
    run.nodes.toLocaleString('en'),
    titleOf(run),
    (hour.seconds / 60).toFixed(0),
    `${run.load.toFixed(0)}, ${hour.load.toFixed(0)}`,
    run.firstDecision.toFixed(1),
    run.startCpu.toFixed(1),
    hour.core.toFixed(3),
    hour.averageMebibytes.toFixed(0),
    hour.requestsPerSecond.toFixed(2),
    (hour.receivedPerSecond / 1_024).toFixed(0),
    arrivals,
    quantile(reactions, 0.5).toFixed(3),
    quantile(reactions, 0.99).toFixed(3),
    hour.clusterCore.toFixed(3),
    hour.sight.delay.toFixed(0),
  ]
}

/** A table in Markdown: a line for each run. */
export const runTable = (runs: readonly LargeRun[]): string =>
  [HEAD, HEAD.map(() => '---'), ...runs.map(cellsOf)].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** What one run says of the bars. A run without arrivals says nothing of reactions. */
export const barsOf = (run: LargeRun): readonly Bar[] => {
  const { hour, reactions, groups } = run
  const bar = (what: string, figure: number, digits: number, most: number, isWhole = true): Bar => ({
    what,
    measured: figure.toFixed(digits),
    bar: String(most),
    isMet: isWhole && figure < most,
  })
  const reaction = 'reaction at the 99th percentile, s'
  return [
    bar('cores', hour.core, 3, THRESHOLDS.core),
    bar('MiB on average', hour.averageMebibytes, 0, THRESHOLDS.mebibytes),
    bar('first decision, s', run.firstDecision, 1, THRESHOLDS.firstDecision),
    ...(groups === 0
      ? []
      : [bar(reaction, quantile(reactions, 0.99), 3, THRESHOLDS.reaction, reactions.length >= groups)]),
  ]
}

/** A table in Markdown: a line for each bar. */
export const largeBars = (run: LargeRun): string =>
  barTable([{ title: `${run.nodes.toLocaleString('en')} nodes, ${titleOf(run)}`, bars: barsOf(run) }])
