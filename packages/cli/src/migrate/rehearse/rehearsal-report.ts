import { table } from '@kerf/provider-kit/terminal'
import { counts, escapeHtml, plot, usd } from '../../simulate/plot.ts'
import { recordedHtml } from './recorded-report.ts'
import type { Rehearsal, RehearsedPhase } from './rehearse-migration.ts'
import type { RecordedTime } from './rehearse-recording.ts'
import { bufferLines } from './rehearsed-buffers.ts'

const dollars = (amount: number): string => `$${amount.toFixed(2)}`
const minutes = (duration: number): string => `${Math.round(duration / 60_000)} min`
const seconds = (duration: number): string => `${Math.round(duration / 1_000)} s`

const columns: readonly {
  readonly title: string
  readonly value: (phase: RehearsedPhase) => string
  readonly align?: 'right'
}[] = [
  { title: 'PHASE', value: ({ phase, name }) => `${phase} ${name}` },
  { title: 'TIME', value: ({ duration }) => minutes(duration), align: 'right' },
  { title: '$/H', value: ({ hourlyCost }) => dollars(hourlyCost), align: 'right' },
  { title: 'PEAK', value: ({ peakCost }) => dollars(peakCost), align: 'right' },
  { title: 'NODES', value: ({ nodes }) => String(nodes), align: 'right' },
  { title: 'OF GROUPS', value: ({ groupNodes }) => String(groupNodes), align: 'right' },
  { title: 'WAITING', value: ({ waitingAtEnd }) => String(waitingAtEnd), align: 'right' },
  { title: 'LONGEST', value: ({ longestWait }) => seconds(longestWait), align: 'right' },
  { title: 'EVICTED BY PLAN', value: ({ evictedByPlan }) => String(evictedByPlan), align: 'right' },
  { title: 'KERF', value: ({ evictedByKerf }) => String(evictedByKerf), align: 'right' },
  { title: 'CAS', value: ({ evictedByAutoscaler }) => String(evictedByAutoscaler), align: 'right' },
  { title: 'BOUGHT TWICE', value: ({ boughtTwice }) => String(boughtTwice), align: 'right' },
  { title: 'FOUGHT OVER', value: ({ foughtOver }) => foughtOver.join(' ') },
]

const summary = ({ before, after, peakCost, buffers, seed }: Rehearsal): readonly string[] => [
  `before: ${dollars(before.hourlyCost)}/h, ${before.nodes} nodes, ${before.waiting} pods waiting`,
  `after:  ${dollars(after.hourlyCost)}/h, ${after.nodes} nodes, ${after.groupNodes} of them of groups${after.keptNodes === 0 ? '' : ` and ${after.keptNodes} of kept ones`}, ${after.waiting} pods waiting`,
  `peak:   ${dollars(peakCost)}/h, ${before.hourlyCost === 0 ? '' : `${(peakCost / before.hourlyCost).toFixed(2)} times the cost before; `}seed ${seed}`,
  ...bufferLines(buffers),
]

/** Returns the problems of a rehearsal, one line each. */
export const rehearsalProblems = ({ phases, after, before, buffers }: Rehearsal): readonly string[] => [
  ...phases.flatMap(({ phase, name, problem }) =>
    problem === undefined ? [] : [`phase ${phase} (${name}): ${problem}`],
  ),
  ...phases.flatMap(({ phase, violated }) =>
    violated.length === 0
      ? []
      : [`phase ${phase}: fewer healthy pods than PodDisruptionBudget ${violated.join(', ')} requires`],
  ),
  ...(after.waiting > before.waiting
    ? [`${after.waiting} pods wait for a node at the end, ${before.waiting} did before`]
    : []),
  ...buffers.flatMap(({ buffer, isKept, why }) =>
    isKept ? [] : [`CapacityBuffer ${buffer} is not kept at the end: ${why}`],
  ),
]

/** Returns the report as text for the terminal. */
export const rehearsalText = (rehearsal: Rehearsal, width: number): string => {
  const problems = rehearsalProblems(rehearsal)
  return [
    ...table(rehearsal.phases, columns, width),
    '',
    ...summary(rehearsal),
    ...(problems.length === 0 ? [] : ['', 'Problems:', ...problems.map((line) => `  ${line}`)]),
    '',
  ].join('\n')
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .2rem .9rem .2rem 0; text-align: right; border-bottom: 1px solid #8884; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1.5rem 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; } .grid { stroke: #8884; } .line { fill: none; stroke-width: 1.6; }
svg text { font-size: 12px; fill: currentColor; } .left { text-anchor: end; dominant-baseline: middle; } .below { text-anchor: middle; }
`

/** Returns the report as a self-contained HTML page, without scripts, web fonts or network requests. */
export const rehearsalHtml = (rehearsal: Rehearsal, time?: RecordedTime): string => {
  const [first] = rehearsal.samples
  const series = (name: string, value: (sample: Rehearsal['samples'][number]) => number) => [
    {
      name,
      colour: '#2563eb',
      points: rehearsal.samples.map((sample) => [(sample.at - (first?.at ?? 0)) / 3_600_000, value(sample)] as const),
    },
  ]
  const cells = (row: readonly string[], tag: 'th' | 'td'): string =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  const problems = rehearsalProblems(rehearsal)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Rehearsal of a migration</title><style>${STYLE}</style></head>
<body><h1>Rehearsal of a migration</h1>
${summary(rehearsal)
  .map((line) => `<p>${escapeHtml(line)}</p>`)
  .join('\n')}
${problems.length === 0 ? '' : `<h2>Problems</h2><ul>${problems.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`}
<table><thead>${cells(
    columns.map(({ title }) => title),
    'th',
  )}</thead><tbody>${rehearsal.phases
    .map((phase) =>
      cells(
        columns.map(({ value }) => value(phase)),
        'td',
      ),
    )
    .join('')}</tbody></table>
${time === undefined ? '' : recordedHtml(time)}
${plot(
  'Cost per hour',
  series('cost', ({ hourlyCost }) => hourlyCost),
  usd,
)}
${plot(
  'Nodes',
  series('nodes', ({ nodes }) => nodes),
  counts,
)}
${plot(
  'Pods without a node',
  series('waiting', ({ waiting }) => waiting),
  counts,
)}
</body></html>
`
}
