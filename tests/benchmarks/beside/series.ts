import { type RawRun, readSeries } from './raw-runs.ts'

/**
 * The part of a run that a row shows: `up` is the scale-up from zero, `down` the reduction of pods, and `drifted` the replacement of all
 * nodes.
 */
export type Part = 'up' | 'down' | 'drifted'

/** A series of raw runs: a file in `runs/`, and how it differs from the other series. */
export interface Series {
  readonly folder: string
  /** The measured parts of each run, with their titles. A run that reduces the number of pods may end with drift. */
  readonly parts: readonly { readonly part: Part; readonly title: string }[]
  /**
   * When the series was measured. docs/performance.md shows only series with `now`. A series with `before` was measured before the
   * optimizations, and its title says so.
   */
  readonly when: 'now' | 'before' | 'between'
  readonly remark: string
}

/** The remark for series in which the benchmark started Kerf from its TypeScript sources instead of the image's program. */
const SOURCES = 'from the sources'

const up = (folder: string, pods: string, when: Series['when'], remark: string): Series => ({
  folder,
  parts: [{ part: 'up', title: `${pods} pods` }],
  when,
  remark,
})
const CUT = { part: 'down', title: '1,000 to 300 pods' } as const
const DRIFT = { part: 'drifted', title: '300 pods, all nodes drift' } as const

/** Every series, in the order of the tables. */
export const SERIES: readonly Series[] = [
  up('sources-10', '10', 'before', SOURCES),
  up('refused-10', '10', 'between', 'first decision waits for refusals'),
  up('10', '10', 'now', ''),
  up('refused-started-10', '10', 'between', 'started 15 s before, first decision waits for refusals'),
  up('started-10', '10', 'now', 'started 15 s before'),
  up('before-200', '200', 'before', 'earlier benchmark'),
  up('earlier-200', '200', 'between', SOURCES),
  up('loaded-200', '200', 'between', `${SOURCES}, on a busy machine`),
  up('previous-200', '200', 'between', SOURCES),
  up('sources-200', '200', 'between', SOURCES),
  up('planned-late-200', '200', 'between', 'only refused pods are planned'),
  up('queue-200', '200', 'between', 'nodes open one by one'),
  up('refused-200', '200', 'between', 'first decision waits for refusals'),
  up('200', '200', 'now', ''),
  up('started-200', '200', 'now', 'started 15 s before'),
  up('sources-alone-200', '200', 'between', `Kerf alone, ${SOURCES}`),
  up('alone-200', '200', 'now', 'Kerf alone'),
  up('before-1000', '1,000', 'before', 'earlier benchmark'),
  up('sources-1000', '1,000', 'between', SOURCES),
  up('planned-late-1000', '1,000', 'between', 'only refused pods are planned'),
  up('queue-1000', '1,000', 'between', 'nodes open one by one'),
  up('refused-1000', '1,000', 'between', 'first decision waits for refusals'),
  up('1000', '1,000', 'now', ''),
  up('started-1000', '1,000', 'now', 'started 15 s before'),
  up('alone-1000', '1,000', 'now', 'Kerf alone'),
  up('sources-3000', '3,000', 'before', SOURCES),
  up('queue-3000', '3,000', 'between', 'nodes open one by one'),
  up('refused-3000', '3,000', 'between', 'first decision waits for refusals'),
  up('3000', '3,000', 'now', ''),
  up('fresh-300', '300', 'now', 'Kerf alone'),
  { folder: 'sources-cut', parts: [CUT, DRIFT], when: 'before', remark: SOURCES },
  { folder: 'joined-cut', parts: [CUT], when: 'between', remark: 'replacements start together' },
  { folder: 'earlier-cut', parts: [CUT], when: 'between', remark: 'no taint on nodes to be removed' },
  { folder: 'refused-cut', parts: [CUT, DRIFT], when: 'between', remark: 'first decision waits for refusals' },
  { folder: 'cut', parts: [CUT, DRIFT], when: 'now', remark: '' },
  { folder: 'earlier-drift', parts: [DRIFT], when: 'between', remark: 'all pods of a node evicted at once' },
  { folder: 'queue-drift', parts: [DRIFT], when: 'between', remark: 'nodes open one by one' },
]

/** Returns the rows of a table: all runs that contain this part, each with the part's title and the series' remark. */
export const seriesRows = (part: Part, wanted: (series: Series) => boolean, read = readSeries) =>
  SERIES.filter(wanted).flatMap(({ folder, parts, when, remark }) => {
    const own = parts.find((one) => one.part === part)
    if (own === undefined) return []
    const runs = read(folder).filter(({ run }) => run[part] !== undefined)
    if (runs.length === 0) return []
    const remarks = [...(when === 'before' ? ['before'] : []), ...(remark === '' ? [] : [remark])]
    return [{ title: [own.title, ...remarks].join(', '), runs, phase: ({ run }: RawRun) => run[part] }]
  })
