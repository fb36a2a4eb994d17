import type { Phase } from './measure.ts'
import type { RawRun } from './raw-runs.ts'
import { median, orNever, patchesPerPod } from './table.ts'

/** The name under which runs of upstream are stored. All other runs are of Kerf, at different commits. */
const UPSTREAM = 'upstream'

interface Figure {
  readonly title: string
  readonly of: (phase: Phase) => number
  readonly digits: number
}

/** Returns the processor time of a phase. A run that did not record this time has only a total, which includes the start of the program. */
export const phaseCpuSeconds = ({ cpuSeconds, used }: Phase): number => cpuSeconds ?? used.cpuSeconds

/** The columns for a scale-up. */
export const UP: readonly Figure[] = [
  { title: 'last pod bound, s', of: ({ lastBound }) => lastBound / 1000, digits: 1 },
  { title: 'limit, s', of: ({ lastOpen }) => lastOpen / 1000, digits: 1 },
  { title: '$/h', of: ({ hourlyCost }) => hourlyCost, digits: 2 },
  { title: 'bought late', of: ({ boughtLate }) => boughtLate, digits: 0 },
  { title: 'patches a pod', of: patchesPerPod, digits: 2 },
  { title: 'CPU, s', of: phaseCpuSeconds, digits: 1 },
  { title: 'MiB', of: ({ used }) => used.peakMebibytes, digits: 0 },
]

/** The columns for a cluster that shrinks, or whose nodes are replaced. */
export const MOVES: readonly Figure[] = [
  { title: 'dollars spent', of: ({ spent }) => spent, digits: 3 },
  { title: 'quiet after, s', of: ({ settledAfter }) => orNever(settledAfter), digits: 0 },
  { title: '$/h in the end', of: ({ hourlyCost }) => hourlyCost, digits: 2 },
  { title: 'evictions', of: ({ evictions }) => evictions, digits: 0 },
  { title: 'most pods down', of: ({ mostDown }) => mostDown, digits: 0 },
  { title: 'nodes made', of: ({ nodesMade }) => nodesMade, digits: 0 },
]

/** Returns the median. If the runs differ, adds the minimum and maximum. */
const spread = (figures: readonly number[], digits: number): string => {
  const known = figures.filter((figure) => !Number.isNaN(figure) && figure !== null)
  if (!known.some(Number.isFinite)) return '–'
  const [least, middle, most] = [Math.min(...known), median(known), Math.max(...known)].map((x) =>
    Number.isFinite(x) ? x.toFixed(digits) : 'never',
  )
  return least === most ? `${middle}` : `${middle} (${least} to ${most})`
}

export const isUpstream = ({ run }: RawRun): boolean => run.autoscaler === UPSTREAM

const nameOf = (raw: RawRun): string => {
  if (isUpstream(raw)) return UPSTREAM
  const { autoscaler, program } = raw.run
  const isImage = /\bkerf\.mjs\b/.test(program?.command ?? '')
  return `${autoscaler} \`${raw.commit}\`${isImage ? ', image' : ''}`
}

const loadsOf = (runs: readonly RawRun[]): string => {
  const loads = runs.map(({ load }) => load)
  return `${Math.min(...loads).toFixed(0)} to ${Math.max(...loads).toFixed(0)}`
}

/** The rows of one series: its title, its runs, and for each run the phase to show. */
export interface SeriesRows {
  readonly title: string
  readonly runs: readonly RawRun[]
  readonly phase: (raw: RawRun) => Phase | undefined
}

/** Returns a Markdown table with one row for each autoscaler of each series. */
export const figureTable = (figures: readonly Figure[], series: readonly SeriesRows[]): string => {
  const head = ['series', 'autoscaler', 'runs', 'load', ...figures.map(({ title }) => title)]
  const lines = series.flatMap(({ title, runs, phase }) =>
    [...Map.groupBy(runs, nameOf)].map(([name, own]) => {
      const phases = own.flatMap((raw) => phase(raw) ?? [])
      const cells = figures.map(({ of, digits }) => spread(phases.map(of), digits))
      return [title, name, String(own.length), loadsOf(own), ...cells]
    }),
  )
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Returns a Markdown table of medians with two rows for each series: one for all runs of Kerf, and one for all runs of upstream. */
export const medianTable = (figures: readonly Figure[], series: readonly SeriesRows[]): string => {
  const head = ['series', 'autoscaler', 'runs', ...figures.map(({ title }) => title)]
  const lines = series.flatMap(({ title, runs, phase }) =>
    [...Map.groupBy(runs, (raw) => (isUpstream(raw) ? 'Karpenter' : 'Kerf'))].map(([name, own]) => {
      const phases = own.flatMap((raw) => phase(raw) ?? [])
      const cells = figures.map(({ of, digits }) => {
        const middle = median(phases.map(of))
        return Number.isFinite(middle) ? middle.toFixed(digits) : '–'
      })
      return [title, name, String(own.length), ...cells]
    }),
  )
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const marker = (name: string, end: '' | '/', bench: string): string => `<!-- ${end}${bench} ${name} -->`

/** Returns the page with the text between two markers replaced. Throws if the page does not contain the markers. */
export const withPart = (page: string, name: string, part: string, bench = 'bench:beside'): string => {
  const [first, last] = [marker(name, '', bench), marker(name, '/', bench)]
  const begin = page.indexOf(first)
  const end = page.indexOf(last)
  if (begin < 0 || end < begin) throw new Error(`the page has no ${first} … ${last}`)
  return `${page.slice(0, begin)}${first}\n\n${part}\n\n${page.slice(end)}`
}
