import type { UsdPerHour } from '@kerf/apis'
import { entryAt } from '../column.ts'
import type { Amounts } from '../resources/amounts.ts'

/** A node that could be removed, and the values that decide whether it should be. */
export interface RemovableNode {
  readonly price: UsdPerHour
  /** The cost of disrupting its pods. */
  readonly disruption: number
  /** The allocatable capacity for pods, in billionths, by resource name. */
  readonly allocatable: Amounts
}

export interface NodesAndRequests<Node extends RemovableNode> {
  readonly nodes: readonly Node[]
  /** The capacity of the other nodes, which are not removed. */
  readonly keptAllocatable: Amounts
  /** The total requests of all pods. */
  readonly requested: Amounts
}

/** Nodes are never filled completely, so only this fraction of their capacity is used. */
const FULL = 0.97
/** The exponent for the weight of scarce resources. Because it is high, only the resources that limit the cost matter in the end. */
const SCARCITY = 12
/** The weight of disrupting pods relative to the price of their nodes. It only decides between nodes of about the same value. */
const DISTURBANCE = 0.1

/**
 * Nodes with the same price and capacity. The last one in the list is removed first: it has the lowest disruption cost and, among equal
 * costs, came first in the input.
 */
interface EqualNodes<Node> {
  readonly price: UsdPerHour
  readonly allocatable: readonly number[]
  readonly nodes: Node[]
}

const groupEqualNodes = <Node extends RemovableNode>(
  nodes: readonly Node[],
  names: readonly string[],
): readonly EqualNodes<Node>[] => {
  const groups = new Map<string, EqualNodes<Node>>()
  for (const node of nodes.toReversed().sort((a, b) => b.disruption - a.disruption)) {
    const allocatable = names.map((name) => FULL * Number(node.allocatable.get(name) ?? 0n))
    const key = [node.price, ...allocatable].join()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { price: node.price, allocatable, nodes: [node] })
    else group.nodes.push(node)
  }
  return [...groups.values()]
}

/**
 * Removes nodes one by one as long as the remaining capacity covers the requests of all pods. Nodes with the highest price for their
 * capacity are removed first. Returns the remaining nodes.
 *
 * Capacity is weighted by scarcity, which is updated as nodes are removed (multiplicative weights). For example, if memory is scarce on
 * small nodes, the few nodes with much memory are kept, even if they are expensive and empty today. Of nodes with the same price and
 * capacity, the one with the lowest disruption cost is removed first. If the costs are also equal, the first one in `nodes` is removed
 * first.
 *
 * The function compares only totals. So its result shows which nodes to try first, not which moves are possible.
 */
export const nodesToKeep = <Node extends RemovableNode>({
  nodes,
  keptAllocatable,
  requested,
}: NodesAndRequests<Node>): ReadonlySet<Node> => {
  const asked = [...requested].filter(([, amount]) => amount > 0n)
  const names = asked.map(([name]) => name)
  const demand = asked.map(([, amount]) => Number(amount))
  const groups = groupEqualNodes(nodes, names)
  const supply = names.map((name, place) =>
    groups.reduce(
      (sum, { allocatable, nodes }) => sum + entryAt(allocatable, place) * nodes.length,
      FULL * Number(keptAllocatable.get(name) ?? 0n),
    ),
  )
  const price = nodes.reduce((sum, node) => sum + node.price, 0)
  const disruption = nodes.reduce((sum, node) => sum + node.disruption, 0)
  const eachDisturbance = disruption === 0 ? 0 : (DISTURBANCE * price) / disruption
  const left = new Set(nodes)
  for (;;) {
    const weights = demand.map((amount, place) => (amount / entryAt(supply, place)) ** SCARCITY / amount)
    let next: EqualNodes<Node> | undefined
    let most = 0
    for (const group of groups) {
      const node = group.nodes.at(-1)
      if (
        node === undefined ||
        !demand.every((amount, at) => entryAt(supply, at) - entryAt(group.allocatable, at) >= amount)
      )
        continue
      const worth = weights.reduce((sum, weight, place) => sum + weight * entryAt(group.allocatable, place), 0)
      const gain = (group.price - eachDisturbance * node.disruption) / worth
      if (next !== undefined && gain <= most) continue
      next = group
      most = gain
    }
    const gone = next?.nodes.pop()
    if (next === undefined || gone === undefined) return left
    left.delete(gone)
    for (const [place, amount] of next.allocatable.entries()) supply[place] = entryAt(supply, place) - amount
  }
}
