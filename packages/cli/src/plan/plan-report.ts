import { clip, type Style, table } from '@kerf/provider-kit/terminal'
import { cores, counted, gibibytes } from '../terminal/amounts.ts'
import { type PriceMark, perHour, perMonth, unpricedNote } from '../terminal/money.ts'
import type { PlanDocument } from './plan-document.ts'
import { sleepingPoolLine } from './sleeping-pods.ts'

const sample = (pods: readonly string[], width: number): string => clip(pods.join(', '), width)

/** Combines pods with equal reasons into one line, with the name of the first pod and the number of the others. */
const byReason = (
  unschedulable: PlanDocument['unschedulable'],
): readonly { readonly reason: string; readonly pods: readonly string[] }[] => {
  const groups = new Map<string, string[]>()
  for (const { pod, reason } of unschedulable) groups.set(reason, [...(groups.get(reason) ?? []), pod])
  return [...groups].map(([reason, pods]) => ({ reason, pods }))
}

const podsIn = (lists: readonly { readonly pods: readonly string[] }[]): number =>
  lists.reduce((sum, each) => sum + each.pods.length, 0)

/** Returns the zone of a claim, or the number of its possible zones. */
const zoneText = ({ zones = [], cheapest }: PlanDocument['nodeClaims'][number]): string =>
  zones.length > 1 ? `any of ${zones.length}` : (zones[0] ?? cheapest.zone)

/** Returns one sentence about what the plan adds. */
const summary = (
  {
    nodeClaims,
    existingNodes,
    unschedulable,
    asleep = [],
    hourlyCost,
    unpricedClaims = 0,
    nodeOverheadCost = 0,
  }: PlanDocument,
  mark: PriceMark,
  style: Style,
): string => {
  const placed = podsIn(existingNodes)
  const beside =
    nodeOverheadCost > 0 ? `, ${perHour(nodeOverheadCost * nodeClaims.length)} of it in addition to the instances` : ''
  const there = placed === 0 ? '' : `; ${counted(placed, 'pod')} ${placed === 1 ? 'fits' : 'fit'} on existing nodes`
  if (nodeClaims.length === 0)
    return `${unschedulable.length > 0 ? 'Nothing is launched' : `No new node is needed${asleep.length > 0 ? ' for pending pods' : ''}`}${there}.`
  return `${style('bold', perHour(hourlyCost, mark))} more (${perMonth(hourlyCost, mark)}${beside})${unpricedNote(unpricedClaims)} for ${counted(nodeClaims.length, 'new node')} with ${counted(podsIn(nodeClaims), 'pod')}${there}.`
}

const commitmentColumn = {
  title: 'COVERED BY',
  value: ({ commitment }: PlanDocument['nodeClaims'][number]): string => commitment ?? '-',
}

const originColumn = {
  title: 'PRICE FROM',
  value: ({ priceOrigin }: PlanDocument['nodeClaims'][number]): string =>
    priceOrigin?.ageDays === undefined
      ? (priceOrigin?.source ?? '')
      : `${priceOrigin.source}, ${counted(priceOrigin.ageDays, 'day')} old`,
}

export interface PlanReportOptions {
  readonly wide: boolean
  readonly width: number
  /** The mark to print before each price. */
  readonly mark?: PriceMark
}

/** Returns the text that `kerf plan` prints for people: the new nodes, the total, and each unschedulable pod. */
export const planReport = (plan: PlanDocument, options: PlanReportOptions, style: Style): string => {
  const { mark = '' } = options
  const lines: string[] = []
  if (plan.nodeClaims.length > 0) {
    const rows = plan.nodeClaims.map((claim, index) => ({ ...claim, number: String(index + 1) }))
    const [head = '', ...body] = table(
      rows,
      [
        { title: 'NEW', value: (row) => row.number, align: 'right' },
        { title: 'NODEPOOL', value: (row) => row.nodePool },
        { title: 'TYPE', value: (row) => row.cheapest.instanceType },
        { title: 'ZONE', value: zoneText },
        { title: 'CAPACITY', value: (row) => row.cheapest.capacityType },
        { title: 'PRICE', value: (row) => perHour(row.cheapest.price, mark), align: 'right' },
        ...(rows.some(({ commitment }) => commitment !== undefined) ? [commitmentColumn] : []),
        ...(rows.some(({ priceOrigin }) => priceOrigin !== undefined) ? [originColumn] : []),
        { title: 'CPU', value: (row) => cores(row.requests['cpu']), align: 'right' },
        { title: 'MEMORY', value: (row) => gibibytes(row.requests['memory']), align: 'right' },
        { title: 'TYPES', value: (row) => String(row.instanceTypes.length), align: 'right' },
        { title: 'PODS', value: (row) => String(row.pods.length), align: 'right' },
        { title: '', value: (row) => (options.wide ? row.pods.join(', ') : sample(row.pods, 60)), shrink: true },
      ],
      options.wide ? Number.POSITIVE_INFINITY : options.width,
    )
    lines.push(style('gray', head), ...body)
  }
  if (plan.existingNodes.length > 0) {
    lines.push(...(lines.length > 0 ? [''] : []), style('bold', 'On existing nodes'))
    for (const { name, pods: placed } of plan.existingNodes)
      lines.push(
        `  ${name}: ${counted(placed.length, 'pod')} (${options.wide ? placed.join(', ') : sample(placed, 60)})`,
      )
  }
  if (lines.length > 0) lines.push('')
  lines.push(summary(plan, mark, style))
  if (plan.unschedulable.length > 0) {
    lines.push('', style('yellow', `${counted(plan.unschedulable.length, 'pod')} cannot be scheduled`))
    for (const { reason, pods: group } of byReason(plan.unschedulable)) {
      const more = group.length > 1 ? ` and ${group.length - 1} more` : ''
      lines.push(`  ${options.wide ? group.join(', ') : `${group[0]}${more}`}`, style('gray', `    ${reason}`))
    }
  }
  if (plan.asleep !== undefined) lines.push('', ...plan.asleep.map(sleepingPoolLine))
  return `${lines.join('\n')}\n`
}
