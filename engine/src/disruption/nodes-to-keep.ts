import type { UsdPerHour } from '@kerf/apis'
import { entryAt } from '../column.ts'
import type { Amounts } from '../resources/amounts.ts'

/** A node that could go, as far as it matters for whether it should. */
export interface RemovableNode {
  readonly price: UsdPerHour
  /** What disturbing its pods costs. */
  readonly disruption: number
  /** What pods may use of it, in billionths, by resource name. */
  readonly allocatable: Amounts
}

export interface NodesAndRequests<Node extends RemovableNode> {
  readonly nodes: readonly Node[]
  /** Room on nodes that stay in any case. */
  readonly keptAllocatable: Amounts
  /** What all pods ask for, wherever they are. */
  readonly requested: Amounts
}

/** Nodes are never full to the last: this share of what they can hold counts. */
const FULL = 0.97
/** How much more a resource counts that runs short. High, so that in the end only those count that bound the cost. */
const SCARCITY = 12
/** What disturbing a pod weighs beside what its place costs: enough to decide between nodes that are worth about the same. */
const DISTURBANCE = 0.1

/** Nodes of the same price and allocatable amounts. The last is the next to go: the one that disturbs least. */
interface EqualNodes<Node> {
  readonly price: UsdPerHour
  readonly allocatable: readonly number[]
  readonly nodes: Node[]
}

const equalNodesOf = <Node extends RemovableNode>(
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
 * The nodes that would be left if the dearest for what they offer went one after the other, as long as all together have
 * room for what pods ask. What a node offers is weighed by how scarce it will be, which is found as nodes go
 * (multiplicative weights): where small machines leave memory as what is bought, the few with much memory are worth
 * keeping, dear and empty as they may be today.
 * Of nodes that are alike the first goes first.
 *
 * Sums only: it says which nodes to try first, never that a move is possible.
 */
export const nodesToKeep = <Node extends RemovableNode>({
  nodes,
  keptAllocatable,
  requested,
}: NodesAndRequests<Node>): ReadonlySet<Node> => {
  const asked = [...requested].filter(([, amount]) => amount > 0n)
  const names = asked.map(([name]) => name)
  const demand = asked.map(([, amount]) => Number(amount))
  const groups = equalNodesOf(nodes, names)
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
