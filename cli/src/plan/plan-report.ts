import { perHour, perMonth, unpricedNote } from '../terminal/money.ts'
import type { Style } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'
import { clip } from '../terminal/text-width.ts'
import type { PlanDocument } from './plan-document.ts'

const sample = (pods: readonly string[], width: number): string => clip(pods.join(', '), width)

/** Equal reasons of many replicas are one line: the first pod and how many more. */
const byReason = (
  unschedulable: PlanDocument['unschedulable'],
): readonly { readonly reason: string; readonly pods: readonly string[] }[] => {
  const groups = new Map<string, string[]>()
  for (const { pod, reason } of unschedulable) groups.set(reason, [...(groups.get(reason) ?? []), pod])
  return [...groups].map(([reason, pods]) => ({ reason, pods }))
}

/** What `kerf plan` prints for people: the new nodes, the total, and under it each unschedulable pod. */
export const planReport = (
  plan: PlanDocument,
  options: { readonly wide: boolean; readonly width: number },
  style: Style,
): string => {
  const lines: string[] = []
  const pods = (lists: readonly { readonly pods: readonly string[] }[]): number =>
    lists.reduce((sum, each) => sum + each.pods.length, 0)
  if (plan.nodeClaims.length === 0) lines.push('No new node is needed.')
  else {
    const rows = plan.nodeClaims.map((claim, index) => ({ ...claim, number: String(index + 1) }))
    const [head = '', ...body] = table(
      rows,
      [
        { title: 'NEW', value: (row) => row.number, align: 'right' },
        { title: 'NODEPOOL', value: (row) => row.nodePool },
        { title: 'TYPE', value: (row) => row.cheapest.instanceType },
        { title: 'ZONE', value: (row) => row.cheapest.zone },
        { title: 'CAPACITY', value: (row) => row.cheapest.capacityType },
        { title: 'PRICE', value: (row) => perHour(row.cheapest.price), align: 'right' },
        { title: 'CPU', value: (row) => row.requests['cpu'] ?? '0', align: 'right' },
        { title: 'MEMORY', value: (row) => row.requests['memory'] ?? '0', align: 'right' },
        { title: 'TYPES', value: (row) => String(row.instanceTypes.length), align: 'right' },
        { title: 'PODS', value: (row) => String(row.pods.length), align: 'right' },
        { title: '', value: (row) => (options.wide ? row.pods.join(', ') : sample(row.pods, 60)), shrink: true },
      ],
      options.wide ? Number.POSITIVE_INFINITY : options.width,
    )
    lines.push(style('gray', head), ...body)
  }
  if (plan.existingNodes.length > 0) {
    lines.push('', style('bold', 'On existing nodes'))
    for (const { name, pods: placed } of plan.existingNodes)
      lines.push(
        `  ${name}: ${placed.length} ${placed.length === 1 ? 'pod' : 'pods'} (${options.wide ? placed.join(', ') : sample(placed, 60)})`,
      )
  }
  lines.push(
    '',
    `${style('bold', `${perHour(plan.hourlyCost)}`)} more (${perMonth(plan.hourlyCost)})${unpricedNote(plan.unpricedClaims ?? 0)} for ${plan.nodeClaims.length} new ${plan.nodeClaims.length === 1 ? 'node' : 'nodes'} with ${pods(plan.nodeClaims)} pods; ${pods(plan.existingNodes)} pods fit on existing nodes.`,
  )
  if (plan.unschedulable.length > 0) {
    lines.push(
      '',
      style(
        'yellow',
        `${plan.unschedulable.length} ${plan.unschedulable.length === 1 ? 'pod' : 'pods'} cannot be scheduled`,
      ),
    )
    for (const { reason, pods: group } of byReason(plan.unschedulable)) {
      const more = group.length > 1 ? ` and ${group.length - 1} more` : ''
      lines.push(`  ${options.wide ? group.join(', ') : `${group[0]}${more}`}`, style('gray', `    ${reason}`))
    }
  }
  return `${lines.join('\n')}\n`
}
