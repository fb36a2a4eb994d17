import { escapeHtml } from '../simulate/plot.ts'
import { perHour, perMonth } from '../terminal/money.ts'
import type { ReportDocument } from './report-document.ts'
import { fullness, waterfall } from './report-figures.ts'
import { percent, type ReportTable, reportPriceMark, reportSummary, reportTables } from './report-tables.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #1a2330; --soft: #5b6675; --line: #d5dae1; --paper: #fff; --card: #f5f7fa; --whole: #2f5d9b; --saved: #1f8a5b; --perhaps: #b7791f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf2; --soft: #9aa6b5; --line: #323c4a; --paper: #11161d; --card: #1a212b; --whole: #7aa7e6; --saved: #4cc38a; --perhaps: #e0a84b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1080px; padding: 2rem 1.25rem 4rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .3rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); } ul { padding-left: 1.2rem; margin: .4rem 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: .8rem; margin: 1.2rem 0; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; }
.figures b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; } .saves b { color: var(--saved); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .86rem; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; min-width: 3.2em; }
th { color: var(--soft); font-weight: 600; } .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } .name { white-space: nowrap; }
figure { margin: .6rem 0 0; } svg { width: 100%; height: auto; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); dominant-baseline: middle; } .label { text-anchor: end; } .middle { text-anchor: middle; } .strong { font-weight: 600; }
.bar.whole { fill: var(--whole); } .bar.saved { fill: var(--saved); } .bar.perhaps { fill: var(--perhaps); } .grid { stroke: var(--line); }
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --card: #fff; --whole: #2f5d9b; --saved: #1f8a5b; --perhaps: #b7791f; }
  @page { size: A4 landscape; margin: 12mm; } body { max-width: none; padding: 0; font-size: 10pt; }
  .scroll { overflow: visible; } table { font-size: 8pt; } thead { display: table-header-group; } tr, figure, .figures { break-inside: avoid; } h2 { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`

const tableHtml = ({ title, text, head, numbers, names = [], rows }: ReportTable): string => {
  const kind = (index: number): string =>
    numbers.includes(index) ? ' class="n"' : names.includes(index) ? ' class="name"' : ''
  const cells = (row: readonly string[], tag: 'th' | 'td'): string =>
    row.map((cell, index) => `<${tag}${kind(index)}>${escapeHtml(cell)}</${tag}>`).join('')
  return `<section><h2>${escapeHtml(title)}</h2><p class="soft">${escapeHtml(text)}</p><div class="scroll"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table></div></section>`
}

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<section><h2>${escapeHtml(title)}</h2><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul></section>`

const figures = (report: ReportDocument): string => {
  const { now, planned } = report
  const mark = reportPriceMark(report)
  const figure = (title: string, cost: number, below: string, kind = ''): string =>
    `<div class="${kind}"><span class="soft">${escapeHtml(title)}</span><b>${escapeHtml(perHour(cost, mark))}</b><span>${escapeHtml(below)}</span></div>`
  if (now.nodes === now.unpriced) return ''
  const saved = planned === undefined ? 0 : now.cost - planned.cost
  return `<div class="figures">${figure('Now', now.cost, perMonth(now.cost, mark))}${
    planned === undefined
      ? ''
      : `${figure('A new plan for the same pods', planned.cost, perMonth(planned.cost, mark))}${figure('Difference', saved, `${percent(saved, now.cost)}, ${perMonth(saved, mark)}`, 'saves')}`
  }</div>`
}

/**
 * Returns the report as a self-contained HTML page, without scripts, web fonts or network requests. It has styles for light and dark
 * screens and for print.
 */
export const reportHtml = (report: ReportDocument): string => {
  const [findings, ...tables] = reportTables(report)
  const isFindings = report.findings.length > 0
  const about = [report.from, report.madeAt, ...(report.region === undefined ? [] : [report.region])].join(' · ')
  const hasPrices = report.nodes.some(({ price }) => price !== undefined)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>What this cluster costs</title><style>${STYLE}</style></head>
<body><header><h1>What this cluster costs</h1><p class="soft">${escapeHtml(about)}</p></header>
<main>${report.pricesOf === undefined ? '' : `<p>${escapeHtml(report.priceNote ?? '')}</p>`}
${figures(report)}
${reportSummary(report)
  .map((line) => `<p>${escapeHtml(line)}</p>`)
  .join('\n')}
${isFindings ? `<section><h2>From the current cost to the new plan</h2><figure>${waterfall(report)}</figure></section>` : ''}
${findings === undefined ? '' : tableHtml(findings)}
${hasPrices ? `<section><h2>Utilization of the nodes</h2><figure>${fullness(report)}</figure></section>` : ''}
${tables.map(tableHtml).join('\n')}
${list('Remarks', report.remarks)}
${list('Not checked', report.notLookedAt)}
${report.priceNote === undefined || report.pricesOf !== undefined ? '' : `<p class="soft">${escapeHtml(report.priceNote)}</p>`}
</main></body></html>
`
}
