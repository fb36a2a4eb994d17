import type { Fate, Verdict } from './phases.ts'

export interface Score {
  readonly count: number
  readonly killed: number
  readonly timedOut: number
  readonly survived: number
  readonly notCovered: number
  /** Killed and timed out, of all. */
  readonly share: number
  /** The 95 % Wilson score interval of `share`. */
  readonly low: number
  readonly high: number
}

/** The Wilson score interval at 95 %: holds for small counts and for shares near 1, where the normal one does not. */
export const wilson = (successes: number, count: number): { readonly low: number; readonly high: number } => {
  if (count === 0) return { low: 0, high: 1 }
  const z = 1.959_963_984_540_054
  const share = successes / count
  const scale = 1 + z ** 2 / count
  const middle = share + z ** 2 / (2 * count)
  const half = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2))
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) }
}

export const scoreOf = (verdicts: readonly Verdict[]): Score => {
  const number = (fate: Fate): number => verdicts.filter((verdict) => verdict.fate === fate).length
  const [killed, timedOut, survived, notCovered] = [
    number('killed'),
    number('timed out'),
    number('survived'),
    number('not covered'),
  ]
  const count = verdicts.length
  const { low, high } = wilson(killed + timedOut, count)
  const share = count === 0 ? 0 : (killed + timedOut) / count
  return { count, killed, timedOut, survived, notCovered, share, low, high }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

export const scoreText = ({ count, killed, timedOut, survived, notCovered, share, low, high }: Score): string =>
  `${count} mutants: ${killed} killed, ${timedOut} timed out, ${survived} survived, ${notCovered} not covered. ` +
  `Score ${percent(share)} (95 % interval ${percent(low)} to ${percent(high)})`

const begin = '<!-- begin of what npm run mutation writes -->'
const end = '<!-- end of what npm run mutation writes -->'
const header = [
  '| role | date | seed | mutants | killed | timed out | survived | not covered | score | 95 % interval |',
  '|---|---|---|---|---|---|---|---|---|---|',
]

export interface Recorded {
  readonly role: string
  readonly seed: number
  readonly date: string
  readonly score: Score
}

/** The page with the role's row in place; other roles' rows and everything outside of the table stay. */
export const recorded = (page: string, { role, seed, date, score }: Recorded, order: readonly string[]): string => {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to === -1) throw new Error('docs/mutation.md has lost the marks of its generated part')
  const nameOf = (row: string): string => row.split('|')[1]?.trim() ?? ''
  const rows = page
    .slice(from, to)
    .split('\n')
    .filter((row) => row.startsWith('|') && !header.includes(row) && nameOf(row) !== role)
  const { count, killed, timedOut, survived, notCovered, share, low, high } = score
  const cells = [role, date, seed, count, killed, timedOut, survived, notCovered, percent(share)]
  rows.push(`| ${cells.join(' | ')} | ${percent(low)} to ${percent(high)} |`)
  rows.sort((one, other) => order.indexOf(nameOf(one)) - order.indexOf(nameOf(other)))
  return [page.slice(0, from) + begin, '', ...header, ...rows, '', page.slice(to)].join('\n')
}
