import { markdownRow, markdownText } from '../terminal/markdown-text.ts'
import type { ReportDocument } from './report-document.ts'
import { reportSummary, reportTables } from './report-tables.ts'

/** Returns the report as Markdown, for a wiki, an issue or a chat message. */
export const reportMarkdown = (report: ReportDocument): string => {
  const lines = [
    '# What this cluster costs',
    '',
    markdownText(`${report.from}, ${report.madeAt}${report.region === undefined ? '' : `, ${report.region}`}`),
    '',
    ...reportSummary(report).map((line) => `- ${markdownText(line)}`),
  ]
  for (const { title, text, head, numbers, rows } of reportTables(report)) {
    lines.push('', `## ${title}`, '', markdownText(text), '')
    lines.push(
      markdownRow(head),
      `| ${head.map((_, index) => (numbers.includes(index) ? '---:' : '---')).join(' | ')} |`,
    )
    lines.push(...rows.map(markdownRow))
  }
  if (report.remarks.length > 0)
    lines.push('', '## Remarks', '', ...report.remarks.map((line) => `- ${markdownText(line)}`))
  lines.push('', '## Not checked', '', ...report.notLookedAt.map((line) => `- ${markdownText(line)}`))
  if (report.priceNote !== undefined) lines.push('', markdownText(report.priceNote))
  return `${lines.join('\n')}\n`
}
