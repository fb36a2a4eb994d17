import { checkGroups } from '@kerf/provider-contract'
import { markdownRow, markdownText } from '../terminal/markdown-text.ts'
import type { Finding } from './finding.ts'
import { findingsSummary, isFound, namedObjects, skippedByReason } from './table-report.ts'

/** Returns the findings as Markdown for a pull request or a wiki, with a table for each group. */
export const markdownReport = (findings: readonly Finding[]): string => {
  const lines = ['# kerf doctor', '', `${findingsSummary(findings)}.`]
  for (const group of checkGroups) {
    const own = findings.filter((finding) => finding.group === group && isFound(finding))
    if (own.length === 0) continue
    lines.push('', `## ${group.slice(0, 1).toUpperCase()}${group.slice(1)}`, '')
    lines.push('| check | status | objects | seen | remedy |', '|---|---|---|---|---|')
    for (const { id, title, status, objects, seen, remedy } of own)
      lines.push(markdownRow([`${id} ${title}`, status, namedObjects(objects), seen, remedy]))
  }
  const skipped = skippedByReason(findings)
  if (skipped.length > 0) lines.push('', '## Skipped', '')
  for (const [reason, own] of skipped) lines.push(`- ${own.map(({ id }) => id).join(', ')}: ${markdownText(reason)}`)
  return `${lines.join('\n')}\n`
}
