import type { MutantStatus, Verdict } from './phases.ts'

export interface Score {
  readonly count: number
  readonly killed: number
  readonly timedOut: number
  readonly survived: number
  readonly notCovered: number
  /** The fraction of mutants that were killed or timed out. */
  readonly share: number
  /** The 95 % Wilson score interval of `share`. */
  readonly low: number
  readonly high: number
}

/** Returns the 95 % Wilson score interval. Unlike the normal approximation, it is valid for small counts and for fractions near 1. */
export const wilson = (successes: number, count: number): { readonly low: number; readonly high: number } => {
  if (count === 0) return { low: 0, high: 1 }
  const z = 1.959_963_984_540_054
  const share = successes / count
  const scale = 1 + z ** 2 / count
  const middle = share + z ** 2 / (2 * count)
  const half = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2))
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) }
}

export const computeScore = (verdicts: readonly Verdict[]): Score => {
  const number = (status: MutantStatus): number => verdicts.filter((verdict) => verdict.status === status).length
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

/** A mutant that no test detected. */
export interface Survivor {
  readonly status: MutantStatus
  /** The file. `line` and `owner` are the line and the function. */
  readonly path: string
  readonly line: number
  readonly owner: string
  readonly before: string
  readonly after: string
}

export interface Recorded {
  readonly role: string
  readonly seed: number
  readonly date: string
  readonly score: Score
  readonly survivors: readonly Survivor[]
}

/** The placeholder in place of a missing reason. */
export const NO_REASON = '**to be looked at**'

const code = (text: string): string => {
  const fence = text.includes('`') ? '``' : '`'
  const inner = fence === '``' ? ` ${text} ` : text
  return fence + inner.replaceAll('|', '\\|') + fence
}

const rowCells = (row: string): readonly string[] =>
  row
    .replace(/^\| /, '')
    .replace(/ \|$/, '')
    .split(/(?<!\\)\| /)
    .map((cell) => cell.trim())

/** Returns the rows of surviving mutants on a role's page, each with its reason. */
export const survivorsIn = (page: string): readonly { readonly mutant: string; readonly reason: string }[] =>
  page
    .slice(page.indexOf('| where |'), page.indexOf(end))
    .split('\n')
    .slice(2)
    .filter((row) => row.startsWith('| '))
    .map((row) => {
      const [where = '', mutant = '', reason = ''] = rowCells(row)
      return { mutant: `${where.replace(/:\d+/, '')} ${mutant}`, reason }
    })

/**
 * Returns the role's page with its new score and one row for each survivor. Keeps existing reasons, which it matches by file, function and
 * change, and all text outside the markers.
 */
export const recorded = (page: string, { role, seed, date, score, survivors }: Recorded): string => {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to === -1)
    throw new Error(`tests/support/mutation/results/${role}.md has lost the marks of its generated part`)
  const reasons = Map.groupBy(survivorsIn(page), ({ mutant }) => mutant)
  const { count, killed, timedOut, survived, notCovered, share, low, high } = score
  const cells = [date, seed, count, killed, timedOut, survived, notCovered, percent(share)]
  const rows = survivors
    .toSorted((one, other) => one.path.localeCompare(other.path) || one.line - other.line)
    .map(({ status, path, line, owner, before, after }) => {
      const file = path.split('/').at(-1) ?? path
      const mutant = `${code(before)} → ${code(after)}${status === 'not covered' ? ' (not covered)' : ''}`
      const reason = reasons.get(`\`${file}\` ${owner} ${mutant}`)?.shift()?.reason ?? NO_REASON
      return `| \`${file}:${line}\` ${owner} | ${mutant} | ${reason} |`
    })
  const lines = [
    '| date | seed | mutants | killed | timed out | survived | not covered | score | 95 % interval |',
    '|---|---|---|---|---|---|---|---|---|',
    `| ${cells.join(' | ')} | ${percent(low)} to ${percent(high)} |`,
    '',
    '## Survivors, one by one',
    '',
    '| where | mutant | why it survives |',
    '|---|---|---|',
    ...rows,
  ]
  return [page.slice(0, from) + begin, '', ...lines, '', page.slice(to)].join('\n')
}
