import type { ReportDocument } from './report-document.ts'
import { reportSummary, reportTables } from './report-tables.ts'

/** A cell of a Markdown table: one line, and no bar that would end it. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

/** The report for a wiki, an issue or a chat. */
export const reportMarkdown = (report: ReportDocument): string => {
  const lines = [
    '# What this cluster costs',
    '',
    `${report.from}, ${report.madeAt}${report.region === undefined ? '' : `, ${report.region}`}`,
    '',
    ...reportSummary(report).map((line) => `- ${line}`),
  ]
  for (const { title, text, head, numbers, rows } of reportTables(report)) {
    lines.push('', `## ${title}`, '', text, '')
    lines.push(row(head), row(head.map((_, index) => (numbers.includes(index) ? '---:' : '---'))))
    lines.push(...rows.map(row))
  }
  if (report.remarks.length > 0) lines.push('', '## Remarks', '', ...report.remarks.map((line) => `- ${line}`))
  lines.push('', '## Not looked at', '', ...report.notLookedAt.map((line) => `- ${line}`))
  if (report.priceNote !== undefined) lines.push('', report.priceNote)
  return `${lines.join('\n')}\n`
}
