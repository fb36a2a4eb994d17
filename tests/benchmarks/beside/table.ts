import type { Phase, Run } from './measure.ts'

const HEAD = [
  'autoscaler',
  'phase',
  'pods run',
  'limit',
  'settled',
  'nodes',
  '$/h',
  'spent $',
  'evictions',
  'most down',
  'made',
  'gone',
  'undone',
  'late',
  'patches',
  'CPU',
]

export interface Steps {
  readonly from: number
  readonly to: number
}

/** Returns infinity for a value that was not reached (null in JSON), so that it is sorted after all other values. */
export const orNever = (figure: number): number => (Number.isFinite(figure) ? figure : Number.POSITIVE_INFINITY)

/** Returns the median. */
export const median = (figures: readonly number[]): number => {
  const sorted = figures.toSorted((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >>> 1], sorted[sorted.length >>> 1]]
  return (low + high) / 2
}

/** Returns the number of status patches per pod. Each nomination of a pod is such a patch. */
export const patchesPerPod = ({ writes, pods }: Phase): number => (writes['patch pods/status'] ?? 0) / Math.max(1, pods)

const row = (name: string, phase: string, measured: Phase): readonly string[] => [
  name,
  phase,
  `${measured.runningAfter.toFixed(1)} s`,
  `${(measured.lastOpen / 1000).toFixed(1)} s`,
  measured.hasSettled ? `${measured.settledAfter.toFixed(1)} s` : 'not yet',
  String(measured.nodes),
  measured.hourlyCost.toFixed(3),
  measured.spent.toFixed(3),
  String(measured.evictions),
  String(measured.mostDown),
  String(measured.nodesMade),
  String(measured.nodesGone),
  String(measured.nodesUndone),
  String(measured.boughtLate),
  patchesPerPod(measured).toFixed(2),
  `${measured.used.cpuSeconds.toFixed(1)} s`,
]

/** Returns one row for each phase of a run. */
export const runRows = (
  { autoscaler, up, down, drifted }: Run,
  { from, to }: Steps,
): readonly (readonly string[])[] => [
  row(autoscaler, `0 to ${from}`, up),
  row(autoscaler, `${from} to ${to}`, down),
  ...(drifted === undefined ? [] : [row(autoscaler, `${to}, all nodes drift`, drifted)]),
]

const medianPhase = (phases: readonly Phase[]): Phase | undefined => {
  const [first] = phases
  if (first === undefined) return undefined
  const middle = (of: (each: Phase) => number): number => median(phases.map(of))
  return {
    ...first,
    hasSettled: phases.every(({ hasSettled }) => hasSettled),
    runningAfter: middle((each) => each.runningAfter),
    settledAfter: middle((each) => each.settledAfter),
    nodes: middle((each) => each.nodes),
    hourlyCost: middle((each) => each.hourlyCost),
    spent: middle((each) => each.spent),
    evictions: middle((each) => each.evictions),
    mostDown: middle((each) => each.mostDown),
    nodesMade: middle((each) => each.nodesMade),
    nodesGone: middle((each) => each.nodesGone),
    nodesUndone: middle((each) => each.nodesUndone),
    lastOpen: middle((each) => each.lastOpen),
    lastBound: middle((each) => each.lastBound),
    boughtLate: middle((each) => each.boughtLate),
    writes: { 'patch pods/status': middle((each) => patchesPerPod(each) * each.pods) },
    used: {
      cpuSeconds: middle((each) => each.used.cpuSeconds),
      peakMebibytes: middle((each) => each.used.peakMebibytes),
    },
  }
}

/** Returns the median of each figure over the runs of each autoscaler. */
export const medianRows = (runs: readonly Run[], steps: Steps): readonly (readonly string[])[] =>
  [...Map.groupBy(runs, ({ autoscaler }) => autoscaler)].flatMap(([name, own]) => {
    const up = medianPhase(own.map((run) => run.up))
    const down = medianPhase(own.map((run) => run.down))
    const drifted = medianPhase(own.flatMap((run) => run.drifted ?? []))
    const [first] = own
    if (first === undefined || up === undefined || down === undefined) return []
    return runRows({ ...first, autoscaler: `${name}, median`, up, down, drifted }, steps)
  })

/** Prints columns of equal width. */
export const printTable = (rows: readonly (readonly string[])[]): void => {
  const widths = HEAD.map((title, column) => Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)))
  for (const cells of [HEAD, ...rows]) {
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}
