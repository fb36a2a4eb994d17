import { formatTime, type Milliseconds } from '@kerf/apis'
import { checkGroups } from '@kerf/provider-contract'
import { escapeHtml } from '../simulate/plot.ts'
import type { Finding } from './finding.ts'
import type { Scopes } from './scopes.ts'
import { scopesDrawing } from './scopes-drawing.ts'
import { findingsSummary } from './table-report.ts'

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; } svg { width: 100%; height: auto; }
svg text { font-size: 13px; fill: currentColor; } svg .title { font-weight: 600; } svg .nodes { opacity: .75; }
.groups { fill: #ea580c22; stroke: #ea580c; } .pools { fill: #2563eb22; stroke: #2563eb; }
article { border-left: 4px solid #8888; padding: .1rem 0 .1rem .9rem; margin: 1rem 0; overflow-wrap: anywhere; }
article.fail { border-color: #dc2626; } article.warn { border-color: #d97706; } article.info { border-color: #0891b2; }
h3 { font-size: 1rem; margin: 0; } p { margin: .3rem 0; } code { font-size: .92em; } .why { opacity: .8; }
@media print { article { break-inside: avoid; } }
`

const ORDER = ['fail', 'warn', 'info'] as const
const words = { fail: 'Critical', warn: 'Warning', info: 'For information' } as const

const article = ({ id, title, status, objects, seen, why, remedy }: Finding): string => `
<article class="${status}" id="${id}">
<h3>${id} ${escapeHtml(title)}</h3>
<p>${escapeHtml(objects.join(', '))}: ${escapeHtml(seen)}.</p>
<p><strong>Do:</strong> <code>${escapeHtml(remedy)}</code></p>
<p class="why">${escapeHtml(why)}</p>
</article>`

const steps = (findings: readonly Finding[]): string => {
  const first = ORDER.flatMap((status) => findings.filter((each) => each.status === status)).filter(
    ({ status }) => status !== 'info',
  )
  return first.length === 0
    ? '<p>No action required.</p>'
    : `<ol>${first.map(({ id, title, objects }) => `<li><a href="#${id}">${id}</a> ${escapeHtml(title)} (${objects.length})</li>`).join('')}</ol>`
}

/**
 * Returns the findings as a self-contained HTML page. It shows the most important remedies first, then which nodes and pods each
 * autoscaler manages, and then each finding.
 */
export const htmlReport = (findings: readonly Finding[], scopes: Scopes, now: Milliseconds): string => {
  const skipped = findings.filter(({ status }) => status === 'skipped')
  const groups = checkGroups.flatMap((group) => {
    const own = ORDER.flatMap((status) => findings.filter((each) => each.group === group && each.status === status))
    return own.length === 0
      ? []
      : [`<h2>${group.slice(0, 1).toUpperCase()}${group.slice(1)}</h2>${own.map(article).join('')}`]
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>kerf doctor</title><style>${STYLE}</style></head>
<body><h1>kerf doctor</h1>
<p>${escapeHtml(findingsSummary(findings))}. ${formatTime(now)}</p>
<h2>What to do first</h2>
${steps(findings)}
<h2>Which autoscaler serves which pods</h2>
${scopesDrawing(scopes)}
<p class="why">Workloads and their pods, by the nodes that could run them. Zones, volumes and limits are not considered.</p>
${groups.join('\n')}
${skipped.length === 0 ? '' : `<h2>Not decided</h2><ul>${skipped.map(({ id, title, seen }) => `<li>${id} ${escapeHtml(title)}: ${escapeHtml(seen)}</li>`).join('')}</ul>`}
<p class="why">${ORDER.map((status) => `${words[status]}: ${findings.filter((each) => each.status === status).length}`).join(' · ')}</p>
</body></html>
`
}
