import { formatTime } from '@kerf/apis'
import { escapeHtml } from '../simulate/plot.ts'
import type { Comparison } from './compare-decisions.ts'
import { nodesWords, savingWords } from './report-table.ts'
import { choiceWords, decisionGroups, laterWords, medianLater, summaryLines } from './report-words.ts'

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 1080px; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
td.n { text-align: right; } summary { cursor: pointer; }
@media print { tr { break-inside: avoid; } }
`

const rows = (head: readonly string[], body: readonly (readonly string[])[]): string =>
  `<div class="scroll"><table><thead><tr>${head.map((cell) => `<th>${escapeHtml(cell)}</th>`).join('')}</tr></thead><tbody>${body
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`

/** Returns the comparison of all pods as a self-contained HTML page. */
export const comparisonPage = (comparison: Comparison): string => {
  const { pods, disruptions, from, until } = comparison
  const span = from === undefined || until === undefined ? '' : `<p>${formatTime(from)} to ${formatTime(until)}</p>`
  const groups = decisionGroups(comparison).map(({ pods: own, kerf, acting }) => [
    String(own.length),
    kerf,
    acting,
    medianLater(own),
  ])
  const each = pods.map(({ name, uid, kerf, acting, secondsLater }) => [
    name,
    uid,
    choiceWords(kerf),
    choiceWords(acting),
    secondsLater === undefined ? '' : laterWords(secondsLater),
  ])
  const taken = disruptions.map((each) => [formatTime(each.at), each.reason, savingWords(each), nodesWords(each)])
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>What Kerf would have done</title><style>${STYLE}</style></head>
<body><h1>What Kerf would have done</h1>
${span}<ul>${summaryLines(comparison)
    .map((line) => `<li>${escapeHtml(line)}</li>`)
    .join('')}</ul>
<h2>Nodes of the pods</h2>
${rows(['Pods', 'Kerf', 'The other', 'Kerf was'], groups)}
<h2>Nodes that Kerf would have removed</h2>
${taken.length === 0 ? '<p>None.</p>' : rows(['At', 'Reason', 'Saves', 'Nodes'], taken)}
<details><summary>Each pod</summary>
${rows(['Pod', 'UID', 'Kerf', 'The other', 'Kerf was'], each)}
</details>
</body></html>
`
}
