import { table } from '@kerf/provider-kit/terminal'
import { escapeHtml } from '../../simulate/plot.ts'
import type { RecordedTime, SimulatedPhase } from './rehearse-recording.ts'

const dollars = (amount: number): string => `$${amount.toFixed(2)}`
const hours = (amount: number): string => `${amount.toFixed(1)} h`

interface Row extends SimulatedPhase {
  /** Cost divided by the cost before the migration. */
  readonly share: number
}

const columns: readonly {
  readonly title: string
  readonly value: (row: Row) => string
  readonly align?: 'right'
}[] = [
  { title: 'RECORDED TIME', value: ({ phase, name }) => (phase === undefined ? name : `after ${phase} ${name}`) },
  { title: 'COST', value: ({ cost }) => dollars(cost), align: 'right' },
  { title: 'OF BEFORE', value: ({ share }) => `${(share * 100).toFixed(0)} %`, align: 'right' },
  { title: 'PEAK $/H', value: ({ peakCost }) => dollars(peakCost), align: 'right' },
  { title: 'NODES', value: ({ nodes }) => nodes.toFixed(1), align: 'right' },
  { title: 'WAITED', value: ({ podHoursWaiting }) => hours(podHoursWaiting), align: 'right' },
  { title: 'LONGEST', value: ({ longestWait }) => `${Math.round(longestWait / 1_000)} s`, align: 'right' },
  { title: 'EVICTED BY KERF', value: ({ evictedByKerf }) => String(evictedByKerf), align: 'right' },
  { title: 'CAS', value: ({ evictedByAutoscaler }) => String(evictedByAutoscaler), align: 'right' },
  { title: 'BOUGHT TWICE', value: ({ boughtTwice }) => String(boughtTwice), align: 'right' },
]

const rowsOf = ({ phases }: RecordedTime): readonly Row[] => {
  const before = phases[0]?.cost ?? 0
  return phases.map((phase) => ({ ...phase, share: before === 0 ? 1 : phase.cost / before }))
}

const notes = ({ span, recorded, phases, notInPlan, refused }: RecordedTime): readonly string[] => [
  `${hours(span / 3_600_000)} ${recorded === undefined ? 'of the trace' : `from ${recorded.from}`}, in each cluster from its beginning to its end`,
  ...(recorded === undefined
    ? []
    : [
        `recorded: ${recorded.nodes.toFixed(1)} nodes on average, pods waited ${hours(recorded.podHoursWaiting)}; the model before the migration: ${(phases[0]?.nodes ?? 0).toFixed(1)} nodes. A recording has no prices: costs are the model's`,
      ]),
  ...(notInPlan.length === 0
    ? []
    : [
        `not in the plan, and played as recorded: ${notInPlan.join(', ')}; run kerf migrate cas again if they still exist`,
      ]),
  ...(refused.length === 0 ? [] : [`${refused.length} events were refused, the first: ${refused[0]}`]),
]

/** Returns the report as text for the terminal. */
export const recordedText = (time: RecordedTime, width: number): string =>
  [...table(rowsOf(time), columns, width), '', ...notes(time), ''].join('\n')

/** Returns the report as a section of the HTML page. */
export const recordedHtml = (time: RecordedTime): string => {
  const cells = (row: readonly string[], tag: 'th' | 'td'): string =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  const head = cells(
    columns.map(({ title }) => title),
    'th',
  )
  const body = rowsOf(time).map((row) =>
    cells(
      columns.map(({ value }) => value(row)),
      'td',
    ),
  )
  return `<h2>What the recorded time would have cost</h2>
${notes(time)
  .map((line) => `<p>${escapeHtml(line)}</p>`)
  .join('\n')}
<table><thead>${head}</thead><tbody>${body.join('')}</tbody></table>`
}
