import { counted } from '../terminal/amounts.ts'
import type { Style } from '../terminal/style.ts'
import { checkGroups } from './check.ts'
import type { Finding, FindingStatus } from './finding.ts'

/** How many objects a finding names. */
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

/** `a, b, c and 4 more`. */
export const namedObjects = (objects: readonly string[]): string =>
  objects.length > NAMED
    ? `${objects.slice(0, NAMED).join(', ')} and ${objects.length - NAMED} more`
    : objects.join(', ')

const linesOf = ({ id, title, status, objects, seen, remedy }: Finding, style: Style): readonly string[] => {
  const head = `  ${style(colours[status], words[status].padEnd(8))}  ${id.padEnd(8)}  ${title}`
  if (status === 'skipped') return [`${head}: ${seen}`]
  return [head, `            ${namedObjects(objects)}: ${seen}`, `            ${style('gray', '→')} ${remedy}`]
}

/** How many of each status there are, worst first. */
export const summaryOf = (findings: readonly Finding[]): string => {
  const count = (status: FindingStatus): number => findings.filter((each) => each.status === status).length
  return [
    `${count('fail')} critical`,
    counted(count('warn'), 'warning'),
    `${count('info')} for information`,
    `${count('pass')} in order`,
    `${count('skipped')} skipped`,
  ].join(', ')
}

/** What was found by group, what was skipped and why, and the totals. What is in order is counted only. */
export const tableReport = (findings: readonly Finding[], style: Style): string => {
  const lines: string[] = []
  for (const group of checkGroups) {
    const own = findings.filter((finding) => finding.group === group && finding.status !== 'pass')
    if (own.length === 0) continue
    lines.push(style('bold', titles[group]), ...own.flatMap((finding) => linesOf(finding, style)), '')
  }
  return `${[...lines, summaryOf(findings)].join('\n')}\n`
}
