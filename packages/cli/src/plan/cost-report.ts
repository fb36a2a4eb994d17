import type { CostExplanation } from '@kerf/engine'
import { type Style, table } from '@kerf/provider-kit/terminal'
import { counted } from '../terminal/amounts.ts'
import { type PriceMark, perHour } from '../terminal/money.ts'

const percent = (part: number, whole: number): string =>
  whole === 0 ? '0.0 %' : `${((100 * part) / whole).toFixed(1)} %`

/** Returns the explanation of a plan's cost: the lower bound, the saving of the second pass, and the price of each constraint. */
export const costReport = (cost: CostExplanation, style: Style, mark: PriceMark = ''): string => {
  const { hourlyCost, firstPassCost, lowerBound, constraints, rules, unpriced, unpricedClaims } = cost
  const lines = [
    style('bold', 'Where the cost comes from'),
    `  ${perHour(lowerBound, mark)}  no plan for these pods on new nodes costs less`,
    `  ${perHour(hourlyCost, mark)}  this plan: ${percent(hourlyCost - lowerBound, lowerBound)} above that bound`,
    `  ${perHour(firstPassCost, mark)}  the first plan, before it was made cheaper: ${percent(firstPassCost - hourlyCost, firstPassCost)} saved`,
  ]
  if (unpricedClaims > 0)
    lines.push(
      unpricedClaims === 1
        ? '  1 of the plan’s nodes has no known price: the costs leave it out, and nothing bounds it'
        : `  ${unpricedClaims} of the plan’s nodes have no known price: the costs leave them out, and nothing bounds them`,
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
      style('bold', 'What each constraint costs: without it the plan is cheaper by'),
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
      style('bold', 'What rules of NodePools and of Kerf cost: without it the plan is cheaper by'),
      style('gray', head),
      ...rows,
    )
  }
  if (unpriced > 0)
    lines.push(
      style(
        'gray',
        `${counted(unpriced, 'more constraint or rule', 'more constraints and rules')} ${unpriced === 1 ? 'was' : 'were'} not priced; those of the largest workloads were.`,
      ),
    )
  return `${lines.join('\n')}\n`
}
