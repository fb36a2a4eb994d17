import type { CostExplanation } from '@kerf/engine'
import { type Style, table } from '@kerf/provider-kit/terminal'
import { counted } from '../terminal/amounts.ts'
import { type PriceMark, perHour } from '../terminal/money.ts'

const percent = (part: number, whole: number): string =>
  whole === 0 ? '0.0 %' : `${((100 * part) / whole).toFixed(1)} %`

/** Returns one line for each of several values of `FEWER_NODES_COST_SHARE`, with the number of nodes and the cost of the resulting plan. */
const tradeOffLines = (
  tradeOffs: CostExplanation['nodeTradeOffs'],
  style: Style,
  mark: PriceMark,
): readonly string[] => {
  const [first, ...others] = tradeOffs
  if (first === undefined) return []
  if (others.every(({ nodes, hourlyCost }) => nodes === first.nodes && hourlyCost === first.hourlyCost)) {
    const largest = others.at(-1) ?? first
    return ['', `Kerf found no plan with fewer nodes for at most ${shareText(largest.share)} more.`]
  }
  const [head = '', ...rows] = table(
    tradeOffs,
    [
      { title: 'SHARE', value: ({ share }) => shareText(share), align: 'right' },
      { title: 'NODES', value: ({ nodes }) => String(nodes), align: 'right' },
      { title: 'COST', value: ({ hourlyCost }) => perHour(hourlyCost, mark), align: 'right' },
      { title: '', value: ({ isOwn }) => (isOwn ? 'this plan' : '') },
    ],
    style.width,
  )
  return [
    '',
    style('bold', 'Nodes and cost if fewer nodes may cost up to this share more'),
    style('gray', head),
    ...rows,
  ]
}

/** Returns a share in the format of the setting, such as `0.5%`. */
const shareText = (share: number): string => `${Number((100 * share).toFixed(4))}%`

/** Returns the explanation of a plan's cost: its lower bound, the saving of the improvement pass, and the price of each constraint. */
export const costReport = (cost: CostExplanation, style: Style, mark: PriceMark = ''): string => {
  const { hourlyCost, firstPassCost, lowerBound, constraints, rules, nodeTradeOffs, unpriced, unpricedClaims } = cost
  const lines = [
    style('bold', 'Cost breakdown'),
    `  ${perHour(lowerBound, mark)}  lower bound of any plan for these pods on new nodes`,
    `  ${perHour(hourlyCost, mark)}  this plan: ${percent(hourlyCost - lowerBound, lowerBound)} above that bound`,
    `  ${perHour(firstPassCost, mark)}  the first plan, before improvement: ${percent(firstPassCost - hourlyCost, firstPassCost)} saved`,
  ]
  if (unpricedClaims > 0)
    lines.push(
      unpricedClaims === 1
        ? '  1 of the plan’s nodes has no known price and is not included in the costs'
        : `  ${unpricedClaims} of the plan’s nodes have no known price and are not included in the costs`,
    )
  if (constraints.length > 0) {
    const [head = '', ...rows] = table(
      constraints,
      [
        { title: 'PRICE', value: (row) => perHour(row.price, mark), align: 'right' },
        { title: 'WORKLOAD', value: (row) => row.workload },
        { title: 'PODS', value: (row) => String(row.pods), align: 'right' },
        { title: 'CONSTRAINT', value: (row) => row.constraint },
      ],
      style.width,
    )
    lines.push(
      '',
      style('bold', 'Cost of each constraint: without it, the plan is cheaper by'),
      style('gray', head),
      ...rows,
    )
  } else lines.push('', 'No single constraint of a workload makes the plan more expensive.')
  if (rules.length > 0) {
    const [head = '', ...rows] = table(
      rules,
      [
        { title: 'PRICE', value: (row) => perHour(row.price, mark), align: 'right' },
        { title: 'NODEPOOL', value: ({ nodePool = 'all' }) => nodePool },
        { title: 'NODES', value: ({ nodes, nodesWithout }) => `${nodes}, ${nodesWithout} without`, align: 'right' },
        { title: 'RULE', value: (row) => row.text },
      ],
      style.width,
    )
    lines.push(
      '',
      style('bold', 'Cost of each rule of NodePools and of Kerf: without it, the plan is cheaper by'),
      style('gray', head),
      ...rows,
    )
  }
  lines.push(...tradeOffLines(nodeTradeOffs, style, mark))
  if (unpriced > 0)
    lines.push(
      style(
        'gray',
        `${counted(unpriced, 'more constraint or rule', 'more constraints and rules')} ${unpriced === 1 ? 'was' : 'were'} not priced; those of the largest workloads were.`,
      ),
    )
  return `${lines.join('\n')}\n`
}
