import { checkGroups } from '@kerf/provider-contract'
import type { Style } from '@kerf/provider-kit/terminal'
import { counted } from '../terminal/amounts.ts'
import type { Finding, FindingStatus } from './finding.ts'

/** Maximum number of objects that the report lists for a finding. */
const NAMED = 5

const words: Readonly<Record<FindingStatus, string>> = {
  fail: 'CRITICAL',
  warn: 'WARNING',
  info: 'INFO',
  pass: 'ok',
  skipped: 'skipped',
}
const colours = { fail: 'red', warn: 'yellow', info: 'cyan', pass: 'green', skipped: 'gray' } as const
const titles = {
  coexistence: 'Coexistence',
  controller: 'Controller and installation',
  pools: 'NodePools and node classes',
  workloads: 'Workloads',
  cloud: 'Cloud account',
} as const

/** Returns the names as text such as `a, b, c and 4 more`. */
export const namedObjects = (objects: readonly string[]): string =>
  objects.length > NAMED
    ? `${objects.slice(0, NAMED).join(', ')} and ${objects.length - NAMED} more`
    : objects.join(', ')

const findingLines = ({ id, title, status, objects, seen, remedy }: Finding, style: Style): readonly string[] => [
  `  ${style(colours[status], words[status].padEnd(8))}  ${id.padEnd(8)}  ${title}`,
  `            ${namedObjects(objects)}: ${seen}`,
  `            ${style('gray', '→')} ${remedy}`,
]

/** Returns whether the check found something. */
export const isFound = ({ status }: Finding): boolean => status !== 'pass' && status !== 'skipped'

/** Returns the checks without a result, grouped by the reason, in the order of the checks. */
export const skippedByReason = (findings: readonly Finding[]): readonly (readonly [string, readonly Finding[]])[] => [
  ...Map.groupBy(
    findings.filter(({ status }) => status === 'skipped'),
    ({ seen }) => seen,
  ),
]

/** Returns the number of findings of each status, worst first. */
export const findingsSummary = (findings: readonly Finding[]): string => {
  const count = (status: FindingStatus): number => findings.filter((each) => each.status === status).length
  return [
    `${count('fail')} critical`,
    counted(count('warn'), 'warning'),
    `${count('info')} for information`,
    `${count('pass')} in order`,
    `${count('skipped')} skipped`,
  ].join(', ')
}

/**
 * Returns the report as text: the findings by group, then the skipped checks with their reasons, then the totals. Checks that
 * passed are only counted.
 */
export const tableReport = (findings: readonly Finding[], style: Style): string => {
  const lines: string[] = []
  for (const group of checkGroups) {
    const own = findings.filter((finding) => finding.group === group && isFound(finding))
    if (own.length === 0) continue
    lines.push(style('bold', titles[group]), ...own.flatMap((finding) => findingLines(finding, style)), '')
  }
  const skipped = skippedByReason(findings)
  if (skipped.length > 0) {
    const ids = (own: readonly Finding[]): string => own.map(({ id }) => id).join(', ')
    lines.push(style('bold', 'Skipped'), ...skipped.map(([reason, own]) => `  ${ids(own)}: ${reason}`), '')
  }
  return `${[...lines, findingsSummary(findings)].join('\n')}\n`
}
