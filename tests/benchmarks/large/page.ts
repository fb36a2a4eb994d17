import { type Bar, barTable } from '../beside/bars.ts'
import { type LargeRun, THRESHOLDS } from './large-run.ts'
import type { LoopDelays } from './loop-delays.ts'
import { ARRIVALS_PER_NODE } from './objects.ts'
import { quantile } from './quantile.ts'
import type { ScrapeFigures } from './scrapes.ts'

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

/** Returns a Markdown table with one row for each run. */
export const runTable = (runs: readonly LargeRun[]): string =>
  [HEAD, HEAD.map(() => '---'), ...runs.map(cellsOf)].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Returns the targets and results of one run. Omits the reaction time if no pods arrived in the run. */
export const listBars = (run: LargeRun): readonly Bar[] => {
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
    ...(hour.loop === undefined
      ? []
      : [
          bar(
            'event loop delay without garbage collection, p99, s',
            hour.loop.withoutGarbage.p99 / 1_000,
            3,
            THRESHOLDS.loopP99,
          ),
          bar('the same, the longest, s', hour.loop.withoutGarbage.most / 1_000, 3, THRESHOLDS.loopMost),
        ]),
    ...(groups === 0
      ? []
      : [bar(reaction, quantile(reactions, 0.99), 3, THRESHOLDS.reaction, reactions.length >= groups)]),
  ]
}

/** Returns a Markdown table with one row for each target. */
export const largeBars = (run: LargeRun): string =>
  barTable([{ title: `${run.nodes.toLocaleString('en')} nodes, ${titleOf(run)}`, bars: listBars(run) }])

/** Returns a text for the terminal: the delays of the event loop, and the figures of scrapes and health probes. */
export const loopText = (title: string, loop: LoopDelays, scrapes: ScrapeFigures): string => {
  const line = ({ p50, p99, most }: LoopDelays['withoutGarbage']): string =>
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms, most ${most.toFixed(0)} ms`
  const longTasks = loop.longTasks.map(
    ({ at, delay, garbage, cpu }) =>
      `    at ${(at / 1_000).toFixed(1)} s: ${delay.toFixed(0)} ms, ${cpu.toFixed(0)} ms of the processor, ${garbage.toFixed(0)} ms of garbage collection`,
  )
  return [
    `${title}, event loop: ${line(loop)}; without garbage collection ${line(loop.withoutGarbage)}; processor time of a turn ${line(loop.processor)}`,
    `  garbage: ${loop.garbage.collections} collections, ${(loop.garbage.sum / 1_000).toFixed(2)} s, the longest ${loop.garbage.most.toFixed(0)} ms`,
    `  ${scrapes.scrapes} scrapes, ${scrapes.failed} failed, ${scrapes.medianDuration.toFixed(0)} ms (the longest ${scrapes.mostDuration.toFixed(0)}), ${(scrapes.bytes / 1_048_576).toFixed(1)} MiB on the wire; ` +
      `${scrapes.probes} health probes, p99 ${scrapes.probeP99.toFixed(0)} ms, the longest ${scrapes.probeMost.toFixed(0)} ms`,
    ...longTasks,
  ].join('\n')
}
