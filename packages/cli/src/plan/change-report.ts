import { type Style, table } from '@kerf/provider-kit/terminal'
import { counted } from '../terminal/amounts.ts'
import { markdownRow, markdownText } from '../terminal/markdown-text.ts'
import { type PriceMark, perHour, perMonth } from '../terminal/money.ts'
import type { ChangeForecast, DriftingNode } from './change-forecast.ts'

/** Maximum number of pods that a cell lists. */
const NAMED = 3

const listed = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more` : names.join(', ')

const kept = ({ keptBy }: DriftingNode): string => keptBy.map(({ sentence }) => sentence).join('; ')

/** Returns the first lines of the report: the summary of the change. */
const summary = (
  { objects, drifting, moves, withoutPlace, stillPending, cost }: ChangeForecast,
  mark: PriceMark,
): readonly string[] => {
  const changed = objects.filter(({ change }) => change !== 'unchanged')
  const [before, after] = [cost.before.hourly, cost.after.hourly]
  const difference = after - before
  const sign = difference < 0 ? '-' : '+'
  const moving = moves.filter(({ from }) => from !== undefined).length
  return [
    changed.length === 0
      ? 'No changes: the cluster already has these objects.'
      : `${changed.map(({ object, change }) => `${object} is ${change}`).join(', ')}.`,
    drifting.length === 0
      ? 'No node drifts.'
      : `${counted(drifting.length, 'node')} ${drifting.length === 1 ? 'drifts' : 'drift'}; ${counted(moving, 'pod')} ${moving === 1 ? 'moves' : 'move'}.`,
    withoutPlace.length === 0
      ? 'Every pod remains schedulable.'
      : `${counted(withoutPlace.length, 'pod')} would become unschedulable.`,
    ...(stillPending.length === 0
      ? []
      : [
          `${counted(stillPending.length, 'pod')} ${stillPending.length === 1 ? 'is' : 'are'} pending today and would stay pending.`,
        ]),
    `Cost: ${perHour(before, mark)} → ${perHour(after, mark)} (${sign}${perHour(Math.abs(difference), mark)}, ${sign}${perMonth(Math.abs(difference), mark)}), ${cost.before.nodes} → ${counted(cost.after.nodes, 'node')}.`,
    ...(cost.before.unpriced + cost.after.unpriced === 0
      ? []
      : [
          `Nodes without a known price, not included in the costs: ${cost.before.unpriced} today, ${cost.after.unpriced} then.`,
        ]),
  ]
}

interface Grid {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Returns the tables of the report, for both text and Markdown. */
const grids = (
  { drifting, newNodes, withoutPlace, stillPending, moves }: ChangeForecast,
  mark: PriceMark,
): readonly Grid[] => {
  const gaps = new Map<string, string[]>()
  for (const { pod, to, from } of moves) {
    if (typeof to === 'string' && from !== undefined) gaps.set(to, [...(gaps.get(to) ?? []), pod])
  }
  return [
    {
      title: 'Nodes that drift, in the order in which they are replaced',
      head: ['NODE', 'NODEPOOL', 'PRICE', 'WHY', 'PODS', 'BLOCKED BY'],
      rows: drifting.map((each) => [
        each.node,
        each.nodePool,
        perHour(each.price, mark),
        each.reason,
        String(each.pods.length),
        kept(each),
      ]),
    },
    {
      title: 'New nodes',
      head: ['NEW', 'NODEPOOL', 'TYPE', 'CAPACITY', 'PRICE', 'PODS', 'WHICH'],
      rows: newNodes.map(({ nodePool, cheapest, pods }, index) => [
        String(index + 1),
        nodePool,
        cheapest.instanceType,
        cheapest.capacityType,
        perHour(cheapest.price, mark),
        String(pods.length),
        listed(pods),
      ]),
    },
    {
      title: 'Nodes that receive pods of drifted nodes',
      head: ['NODE', 'PODS', 'WHICH'],
      rows: [...gaps].map(([node, pods]) => [node, String(pods.length), listed(pods)]),
    },
    {
      title: 'Pods that become unschedulable',
      head: ['POD', 'TODAY ON', 'WHY'],
      rows: withoutPlace.map(({ pod, node = '', why }) => [pod, node, why]),
    },
    {
      title: 'Pods that stay pending',
      head: ['POD', 'WHY'],
      rows: stillPending.map(({ pod, why }) => [pod, why]),
    },
  ].filter(({ rows }) => rows.length > 0)
}

/** Returns the text that `kerf plan --change` prints for people. */
export const changeReport = (forecast: ChangeForecast, style: Style, mark: PriceMark = ''): string => {
  const [first = '', ...others] = summary(forecast, mark)
  const lines = [style('bold', first), ...others]
  for (const { title, head, rows } of grids(forecast, mark)) {
    const [names = '', ...body] = table(
      rows,
      head.map((name, index) => ({ title: name, value: (row: readonly string[]) => row[index] ?? '' })),
      style.width,
    )
    lines.push('', style('bold', title), style('gray', names), ...body)
  }
  if (forecast.notLookedAt.length > 0)
    lines.push('', ...forecast.notLookedAt.map((line) => style('gray', `not checked: ${line}`)))
  return `${lines.join('\n')}\n`
}

/** Returns the same report as Markdown, for a comment on a pull request. */
export const changeMarkdown = (forecast: ChangeForecast, mark: PriceMark = ''): string => {
  const lines = [
    '### Effect of this change on the cluster',
    '',
    ...summary(forecast, mark).map((line) => `- ${markdownText(line)}`),
  ]
  for (const { title, head, rows } of grids(forecast, mark)) {
    lines.push('', `<details><summary>${title} (${rows.length})</summary>`, '')
    lines.push(
      markdownRow(head.map((name) => name.slice(0, 1) + name.slice(1).toLowerCase())),
      `| ${head.map(() => '---').join(' | ')} |`,
    )
    lines.push(...rows.map(markdownRow), '', '</details>')
  }
  if (forecast.notLookedAt.length > 0)
    lines.push('', ...forecast.notLookedAt.map((line) => `Not checked: ${markdownText(line)}.`))
  return `${lines.join('\n')}\n`
}
