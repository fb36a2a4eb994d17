import type { Phase } from './measure.ts'
import { isUpstream, phaseCpuSeconds } from './page.ts'
import type { RawRun } from './raw-runs.ts'
import { median, orNever, patchesPerPod } from './table.ts'

/** A target and the measured value. */
export interface Bar {
  readonly what: string
  readonly measured: string
  readonly bar: string
  readonly isMet: boolean
}

type Measure = (phase: Phase) => number

interface Sides {
  readonly kerf: readonly Phase[]
  readonly upstream: readonly Phase[]
}

const sidesOf = (runs: readonly RawRun[], phase: (raw: RawRun) => Phase | undefined): Sides => {
  const of = (own: readonly RawRun[]): readonly Phase[] => own.flatMap((raw) => phase(raw) ?? [])
  return { kerf: of(runs.filter((raw) => !isUpstream(raw))), upstream: of(runs.filter(isUpstream)) }
}

const middle = (phases: readonly Phase[], of: Measure): number => median(phases.map((phase) => orNever(of(phase))))
const text = (figure: number, digits: number): string => (Number.isFinite(figure) ? figure.toFixed(digits) : '–')

/** Returns a target for two autoscalers: Kerf's median must be at most `times` upstream's median. */
const beside = (what: string, { kerf, upstream }: Sides, of: Measure, digits: number, times = 1): Bar => {
  const [ours, theirs] = [middle(kerf, of), middle(upstream, of)]
  const ratio = times === 1 || !Number.isFinite(theirs) ? '' : ` (${text(ours / theirs, 2)})`
  return {
    what,
    measured: `${text(ours, digits)}${ratio}`,
    bar: times === 1 ? text(theirs, digits) : `${times} × ${text(theirs, digits)}`,
    isMet: Number.isFinite(ours) && (ours <= times * theirs || !Number.isFinite(theirs)),
  }
}

/** Returns a target for Kerf alone: its median must be at most `most`. */
const atMost = (what: string, phases: readonly Phase[], of: Measure, digits: number, most: number): Bar => {
  const ours = middle(phases, of)
  return { what, measured: text(ours, digits), bar: String(most), isMet: ours <= most }
}

/**
 * Returns the targets for a scale-up from zero. `runs` contains pairs of one Kerf run and one upstream run. `alone` contains runs of Kerf
 * only.
 */
export const upBars = (runs: readonly RawRun[], alone: readonly RawRun[]): readonly Bar[] => {
  const sides = sidesOf(runs, ({ run }) => run.up)
  const seconds: Measure = ({ lastBound }) => lastBound / 1000
  const paired = [
    beside('last pod bound, s', sides, seconds, 1),
    beside('dollars an hour', sides, ({ hourlyCost }) => hourlyCost, 2, 0.82),
    atMost('last pod after the limit, s', sides.kerf, ({ lastBound, lastOpen }) => (lastBound - lastOpen) / 1000, 1, 2),
    atMost('nodes bought late', sides.kerf, ({ boughtLate }) => boughtLate, 0, 0),
    atMost('patches a pod', sides.kerf, patchesPerPod, 2, 1.5),
    beside('processor time, s', sides, phaseCpuSeconds, 1),
  ]
  const single = alone.map(({ run }) => run.up)
  if (single.length === 0) return paired
  const [usual, slowest] = [middle(single, seconds), Math.max(...single.map(seconds))]
  const steady: Bar = {
    what: `slowest of ${single.length} runs of Kerf alone, s`,
    measured: text(slowest, 1),
    bar: `1.3 × ${text(usual, 1)}`,
    isMet: slowest <= 1.3 * usual,
  }
  return [...paired, steady]
}

/**
 * Returns the target for unnecessary launches: how many of the nodes that were launched after the number of pods was reduced were deleted
 * before the cluster settled. Raw runs from before November 2026 do not contain this number.
 */
const undoneBar = (phases: readonly Phase[]): readonly Bar[] => {
  const told = phases.map(({ nodesUndone }) => nodesUndone).filter(Number.isFinite)
  if (told.length === 0) return []
  const most = Math.max(...told)
  return [
    { what: 'new nodes deleted before settling, worst run', measured: text(most, 0), bar: '0', isMet: most === 0 },
  ]
}

/**
 * Returns the targets for a reduction of pods and for the replacement of all nodes. `fresh` contains runs that start the same number of
 * pods from zero.
 */
export const moveBars = (
  cuts: readonly RawRun[],
  drifts: readonly RawRun[],
  fresh: readonly RawRun[],
): readonly Bar[] => {
  const cut = sidesOf(cuts, ({ run }) => run.down)
  const drift = sidesOf(drifts, ({ run }) => run.drifted)
  const cost: Measure = ({ hourlyCost }) => hourlyCost
  const down: Measure = ({ mostDown }) => mostDown
  const plan = middle(
    fresh.map(({ run }) => run.up),
    cost,
  )
  const rest = middle(cut.kerf, cost)
  const atRest: Bar = {
    what: 'dollars an hour after settling',
    measured: text(rest, 2),
    bar: `${text(plan, 2)}, a fresh plan`,
    isMet: rest <= plan,
  }
  return [
    ...(fresh.length === 0 ? [] : [atRest]),
    beside('dollars spent until quiet', cut, ({ spent }) => spent, 3, 0.8),
    beside('quiet after, s', cut, ({ settledAfter }) => settledAfter, 0, 0.7),
    beside('evictions', cut, ({ evictions }) => evictions, 0),
    beside('most pods down', cut, down, 0),
    ...undoneBar(cut.kerf),
    ...(drift.kerf.length === 0 ? [] : [beside('most pods down while all nodes drift', drift, down, 0)]),
  ]
}

/** Returns a Markdown table with a row for each target of each series. */
export const barTable = (series: readonly { readonly title: string; readonly bars: readonly Bar[] }[]): string => {
  const lines = series.flatMap(({ title, bars }) =>
    bars.map(({ what, measured, bar, isMet }) => [title, what, measured, bar, isMet ? 'met' : '**missed**']),
  )
  const head = ['series', 'median of', 'Kerf', 'at most', '']
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
