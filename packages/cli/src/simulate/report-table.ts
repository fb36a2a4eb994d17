import { type Style, table } from '@kerf/provider-kit/terminal'
import { perHour } from '../terminal/money.ts'
import type { SimulationResult } from './result.ts'
import type { Recording } from './trace.ts'

const seconds = (span: number): string => `${(span / 1_000).toFixed(span < 10_000 ? 1 : 0)} s`

/** A figure in the report: its title, its value, and how to format the value. */
interface Figure {
  readonly title: string
  readonly of: (result: SimulationResult) => number
  readonly text: (value: number) => string
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

export const figures: readonly Figure[] = [
  { title: 'cost', of: ({ cost }) => cost, text: (value) => `$${value.toFixed(2)}` },
  { title: 'cost per hour', of: ({ cost, span }) => cost / (span / 3_600_000), text: perHour },
  { title: 'node hours', of: ({ nodeHours }) => nodeHours, text: (value) => value.toFixed(1) },
  {
    title: 'most nodes',
    of: ({ samples }) => samples.reduce((most, { nodes }) => Math.max(most, nodes), 0),
    text: whole,
  },
  { title: 'launches', of: ({ launches }) => launches, text: whole },
  { title: 'spot interruptions', of: ({ interruptions }) => interruptions, text: whole },
  { title: 'pods', of: ({ pods }) => pods, text: whole },
  { title: 'pods pending, p50', of: ({ waits }) => waits.p50, text: seconds },
  { title: 'pods pending, p95', of: ({ waits }) => waits.p95, text: seconds },
  { title: 'pods pending, p99', of: ({ waits }) => waits.p99, text: seconds },
  { title: 'pods pending, longest', of: ({ waits }) => waits.longest, text: seconds },
  { title: 'evictions', of: ({ evictions }) => evictions, text: whole },
  { title: 'pods lost with instances', of: ({ lost }) => lost, text: whole },
  { title: 'disruptions per pod', of: ({ disruptionsPerPod }) => disruptionsPerPod, text: (value) => value.toFixed(3) },
  { title: 'pending at the end', of: ({ waitingAtEnd }) => waitingAtEnd, text: whole },
]

/** Returns a change such as `+12.5 %`. Empty if it cannot be expressed as a percentage. */
export const change = (from: number, to: number): string => {
  if (from === to) return 'same'
  if (from === 0) return ''
  const percent = (to / from - 1) * 100
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`
}

/** Returns a line with figures of the recorded cluster, for comparison. */
const recordedLine = ({ samples }: Recording): string => {
  const mean = samples.reduce((sum, [, nodes]) => sum + nodes, 0) / Math.max(1, samples.length)
  const most = samples.reduce((top, [, nodes]) => Math.max(top, nodes), 0)
  return `recorded: ${mean.toFixed(1)} nodes on average, ${most} at most (all nodes of the cluster)`
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** Returns a line such as `default/web: 7 disruptions of 28 pods`. */
export const disruptedLine = (each: SimulationResult['mostDisrupted'][number]): string =>
  `${each.workload}: ${counted(each.disruptions, 'disruption')} of ${counted(each.pods, 'pod')}`

/** Returns a line such as `default/web: 6 pods: no NodePool …`. */
export const placelessLine = ({ workload, pods, why }: SimulationResult['withoutPlace'][number]): string =>
  `${workload}: ${counted(pods, 'pod')}: ${why}`

/** Returns a table with one column for each result, and the difference if there are two. */
export const reportTable = (
  results: readonly SimulationResult[],
  recording: Recording | undefined,
  style: Style,
): string => {
  const [first, second] = results
  const columns = [
    { title: '', value: ({ title }: Figure) => title },
    ...results.map((result) => ({
      title: result.name,
      value: ({ of, text }: Figure) => text(of(result)),
      align: 'right' as const,
    })),
    ...(first === undefined || second === undefined
      ? []
      : [{ title: 'CHANGE', value: ({ of }: Figure) => change(of(first), of(second)), align: 'right' as const }]),
  ]
  const [head = '', ...body] = table(figures, columns, style.width)
  const lines = [style('gray', head), ...body, ...(recording === undefined ? [] : ['', recordedLine(recording)])]
  for (const { name, mostDisrupted } of results) {
    if (mostDisrupted.length === 0) continue
    lines.push('', style('bold', `most disrupted${results.length > 1 ? `, ${name}` : ''}`))
    for (const each of mostDisrupted.slice(0, 5)) lines.push(`  ${disruptedLine(each)}`)
  }
  for (const { name, withoutPlace } of results) {
    if (withoutPlace.length === 0) continue
    lines.push('', style('bold', `unschedulable at the end${results.length > 1 ? `, ${name}` : ''}`))
    for (const each of withoutPlace.slice(0, 5)) lines.push(`  ${placelessLine(each)}`)
  }
  return `${lines.join('\n')}\n`
}
