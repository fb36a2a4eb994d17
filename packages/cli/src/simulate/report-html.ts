import type { Milliseconds } from '@kerf/apis'
import { counts, escapeHtml, plot, type Series, usd } from './plot.ts'
import { change, disruptedLine, figures, placelessLine } from './report-table.ts'
import type { Sample, SimulationResult } from './result.ts'
import type { Recording } from './trace.ts'

const COLOURS = ['#2563eb', '#ea580c'] as const
const RECORDED = '#888888'

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 960px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .2rem .9rem .2rem 0; text-align: right; border-bottom: 1px solid #8884; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
h2 { font-size: 1rem; } figure { margin: 1.5rem 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; } .grid { stroke: #8884; } .line { fill: none; stroke-width: 1.6; }
svg text { font-size: 12px; fill: currentColor; } .left { text-anchor: end; dominant-baseline: middle; } .below { text-anchor: middle; }
.key { display: inline-block; width: 1.2em; height: 3px; vertical-align: middle; margin: 0 .4em 0 1em; }
`

const resultSeries = (results: readonly SimulationResult[], value: (sample: Sample) => number): readonly Series[] =>
  results.map(({ name, samples }, index) => ({
    name,
    colour: COLOURS[index % COLOURS.length] ?? COLOURS[0],
    points: samples.map((sample) => [sample.at / 3_600_000, value(sample)] as const),
  }))

/** Returns the values in one column of the recording, with the hour of each. */
const recordedSeries = (recording: Recording | undefined, column: 1 | 2 | 3): readonly Series[] =>
  recording === undefined
    ? []
    : [
        {
          name: 'recorded',
          colour: RECORDED,
          points: recording.samples.map((sample) => [sample[0] / 60, sample[column]] as const),
        },
      ]

/**
 * Returns, for each sample, its hour and the total cost in dollars up to that hour. The price of a sample applies until the next sample.
 */
const spentOf = ({ samples }: SimulationResult): readonly (readonly [number, number])[] => {
  let spent = 0
  return samples.map((sample, index) => {
    const before = samples[index - 1]
    if (before !== undefined) spent += ((sample.at - before.at) / 3_600_000) * before.hourlyCost
    return [sample.at / 3_600_000, spent] as const
  })
}

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<h2>${escapeHtml(title)}</h2><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`

/** Returns two lists: the workloads with the most disruptions, and the workloads with unschedulable pods. */
const workloadLists = ({ name, mostDisrupted, withoutPlace }: SimulationResult, isOne: boolean): string => {
  const of = isOne ? '' : `, ${name}`
  return [
    list(`Most disrupted${of}`, mostDisrupted.map(disruptedLine)),
    list(`Unschedulable at the end${of}`, withoutPlace.map(placelessLine)),
  ].join('')
}

const lifetime = (span: Milliseconds): string => {
  const minutes = Math.round(span / 60_000)
  const [count, unit] = minutes > 0 && minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Returns the report as a self-contained HTML page, without scripts, web fonts or network requests. */
export const reportHtml = (
  results: readonly SimulationResult[],
  recording: Recording | undefined,
  command: string,
): string => {
  const [first, second] = results
  const head = ['', ...results.map(({ name }) => name), ...(second === undefined ? [] : ['change'])]
  const rows = figures.map(({ title, of, text }) => [
    title,
    ...results.map((result) => text(of(result))),
    ...(first === undefined || second === undefined ? [] : [change(of(first), of(second))]),
  ])
  const cells = (row: readonly string[], tag: 'th' | 'td'): string =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')
  const keys = results.map(
    ({ name }, index) =>
      `<span class="key" style="background:${COLOURS[index % COLOURS.length]}"></span>${escapeHtml(name)}`,
  )
  const spent = results.map((result, index) => ({
    name: result.name,
    colour: COLOURS[index % COLOURS.length] ?? COLOURS[0],
    points: spentOf(result),
  }))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Kerf simulation</title><style>${STYLE}</style></head>
<body><h1>Kerf simulation</h1>
<p>${lifetime(first?.span ?? 0)} of cluster life, seed ${first?.seed ?? 0}. <code>${escapeHtml(command)}</code></p>
<p>${[...keys, ...(recording === undefined ? [] : [`<span class="key" style="background:${RECORDED}"></span>recorded`])].join('')}</p>
<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table>
${plot(
  'Cost per hour',
  resultSeries(results, ({ hourlyCost }) => hourlyCost),
  usd,
)}
${plot('Cost so far', spent, usd)}
${plot('Nodes', [...recordedSeries(recording, 1), ...resultSeries(results, ({ nodes }) => nodes)], counts)}
${plot('Running pods', [...recordedSeries(recording, 2), ...resultSeries(results, ({ pods }) => pods)], counts)}
${plot('Pending pods', [...recordedSeries(recording, 3), ...resultSeries(results, ({ waiting }) => waiting)], counts)}
${results.map((result) => workloadLists(result, results.length === 1)).join('\n')}
</body></html>
`
}
