import type { UsdPerHour } from '../instance-type.ts'

/** A node that could go, as far as it matters for whether it should. */
export interface HeldNode {
  readonly price: UsdPerHour
  /** What disturbing its pods costs. */
  readonly disruption: number
  /** What pods may use of it, in billionths, by resource name. */
  readonly room: ReadonlyMap<string, bigint>
}

export interface Holding<Node extends HeldNode> {
  readonly nodes: readonly Node[]
  /** Room on nodes that stay in any case. */
  readonly staying: ReadonlyMap<string, bigint>
  /** What all pods ask for, wherever they are. */
  readonly wanted: ReadonlyMap<string, bigint>
}

/** Nodes are never full to the last: this share of their room counts. */
const FULL = 0.97
/** How much more a resource counts that runs short. High, so that in the end only those count that bound the cost. */
const SCARCITY = 12
/** What disturbing a pod weighs beside what its place costs: enough to decide between nodes that are worth about the same. */
const DISTURBANCE = 0.1

/** Nodes of one make: the same price and room. The last is the next to go: the one that disturbs least. */
interface Make<Node> {
  readonly price: UsdPerHour
  readonly room: readonly number[]
  readonly nodes: Node[]
}

const makesOf = <Node extends HeldNode>(nodes: readonly Node[], names: readonly string[]): readonly Make<Node>[] => {
  const makes = new Map<string, Make<Node>>()
  for (const node of nodes.toReversed().sort((a, b) => b.disruption - a.disruption)) {
    const room = names.map((name) => FULL * Number(node.room.get(name) ?? 0n))
    const key = [node.price, ...room].join()
    const make = makes.get(key)
    if (make === undefined) makes.set(key, { price: node.price, room, nodes: [node] })
    else make.nodes.push(node)
  }
  return [...makes.values()]
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
export const keepers = <Node extends HeldNode>({ nodes, staying, wanted }: Holding<Node>): ReadonlySet<Node> => {
  const asked = [...wanted].filter(([, amount]) => amount > 0n)
  const names = asked.map(([name]) => name)
  const demand = asked.map(([, amount]) => Number(amount))
  const makes = makesOf(nodes, names)
  const supply = names.map((name, place) =>
    makes.reduce(
      (sum, { room, nodes }) => sum + (room[place] ?? 0) * nodes.length,
      FULL * Number(staying.get(name) ?? 0n),
    ),
  )
  const price = nodes.reduce((sum, node) => sum + node.price, 0)
  const disruption = nodes.reduce((sum, node) => sum + node.disruption, 0)
  const eachDisturbance = disruption === 0 ? 0 : (DISTURBANCE * price) / disruption
  const left = new Set(nodes)
  for (;;) {
    const weights = demand.map((amount, place) => (amount / (supply[place] ?? 0)) ** SCARCITY / amount)
    let next: Make<Node> | undefined
    let most = 0
    for (const make of makes) {
      const node = make.nodes.at(-1)
      if (node === undefined || !demand.every((amount, at) => (supply[at] ?? 0) - (make.room[at] ?? 0) >= amount))
        continue
      const worth = weights.reduce((sum, weight, place) => sum + weight * (make.room[place] ?? 0), 0)
      const gain = (make.price - eachDisturbance * node.disruption) / worth
      if (next !== undefined && gain <= most) continue
      next = make
      most = gain
    }
    const gone = next?.nodes.pop()
    if (next === undefined || gone === undefined) return left
    left.delete(gone)
    for (const [place, amount] of next.room.entries()) supply[place] = (supply[place] ?? 0) - amount
  }
}
