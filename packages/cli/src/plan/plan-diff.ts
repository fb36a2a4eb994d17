import type { UsdPerHour } from '@kerf/apis'
import type { ClusterSnapshot, InstanceType } from '@kerf/engine'
import { type Style, table } from '@kerf/provider-kit/terminal'
import { counted } from '../terminal/amounts.ts'
import { type PriceMark, perHour } from '../terminal/money.ts'
import { nodePrices } from './node-prices.ts'
import type { PlanDocument } from './plan-document.ts'

/** The nodes and cost of one NodePool before and after the plan. */
export interface PoolDiff {
  readonly nodePool: string
  readonly nodes: readonly [now: number, planned: number]
  readonly hourlyCost: readonly [now: UsdPerHour, planned: UsdPerHour]
}

export interface PlanDiff {
  readonly pools: readonly PoolDiff[]
  /** Nodes whose price or instance type is unknown. The costs exclude them. */
  readonly unpriced: readonly string[]
  /** The number of planned nodes whose price is unknown. */
  readonly unpricedClaims: number
}

/**
 * Returns, for each NodePool, the nodes and the cost that the plan adds to the existing nodes. The costs include the overhead cost of every
 * node. Nodes without a NodePool are listed under an empty name.
 */
export const planDiff = (
  snapshot: ClusterSnapshot,
  types: readonly InstanceType[],
  plan: PlanDocument,
  nodeOverheadCost: UsdPerHour = 0,
): PlanDiff => {
  const priceOf = nodePrices(snapshot, types, nodeOverheadCost)
  const now = new Map<string, { nodes: number; cost: number }>()
  const unpriced: string[] = []
  for (const node of snapshot.nodes) {
    const price = priceOf(node)
    if (price === undefined) unpriced.push(node.name)
    const pool = node.nodePool ?? ''
    const sum = now.get(pool) ?? { nodes: 0, cost: 0 }
    now.set(pool, { nodes: sum.nodes + 1, cost: sum.cost + (price ?? 0) })
  }
  const names = [...new Set([...now.keys(), ...plan.nodeClaims.map((claim) => claim.nodePool)])].sort()
  return {
    unpriced,
    unpricedClaims: plan.unpricedClaims ?? 0,
    pools: names.map((nodePool) => {
      const before = now.get(nodePool) ?? { nodes: 0, cost: 0 }
      const added = plan.nodeClaims.filter((claim) => claim.nodePool === nodePool)
      const cost = added.reduce((sum, claim) => sum + (claim.cheapest.price ?? 0) + nodeOverheadCost, 0)
      return {
        nodePool,
        nodes: [before.nodes, before.nodes + added.length],
        hourlyCost: [before.cost, before.cost + cost],
      }
    }),
  }
}

const change = (now: string, planned: string): string => (now === planned ? now : `${now} → ${planned}`)

/** Returns the difference as a table with a row for the total. */
export const diffReport = (
  { pools, unpriced, unpricedClaims }: PlanDiff,
  style: Style,
  mark: PriceMark = '',
): string => {
  const total: PoolDiff = {
    nodePool: 'total',
    nodes: [pools.reduce((sum, pool) => sum + pool.nodes[0], 0), pools.reduce((sum, pool) => sum + pool.nodes[1], 0)],
    hourlyCost: [
      pools.reduce((sum, pool) => sum + pool.hourlyCost[0], 0),
      pools.reduce((sum, pool) => sum + pool.hourlyCost[1], 0),
    ],
  }
  const lines = table(
    [...pools, total],
    [
      { title: 'NODEPOOL', value: (row) => (row.nodePool === '' ? '(none)' : row.nodePool) },
      { title: 'NODES', value: (row) => change(String(row.nodes[0]), String(row.nodes[1])), align: 'right' },
      {
        title: 'COST',
        value: (row) => change(perHour(row.hourlyCost[0], mark), perHour(row.hourlyCost[1], mark)),
        align: 'right',
      },
    ],
    style.width,
  )
  const some = unpriced.slice(0, 3).join(', ')
  const has = (count: number): string => (count === 1 ? 'has' : 'have')
  const today = `${counted(unpriced.length, 'node')} ${has(unpriced.length)} no known price or instance type and ${unpriced.length === 1 ? 'is' : 'are'} not included in the costs: ${some}${unpriced.length > 3 ? ', …' : ''}`
  const planned = `${counted(unpricedClaims, 'planned node')} ${has(unpricedClaims)} no known price and ${unpricedClaims === 1 ? 'is' : 'are'} not included in the costs`
  const note = [...(unpriced.length > 0 ? [today] : []), ...(unpricedClaims > 0 ? [planned] : [])].map((line) =>
    style('gray', line),
  )
  return `${[style('bold', 'Today and after the plan'), ...lines, ...note].join('\n')}\n`
}
