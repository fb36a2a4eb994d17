import type { UsdPerHour } from '@kerf/apis'
import type { Commitment } from '../snapshot.ts'

/** A node with the price of its instance. */
export interface PricedNode {
  /** `NodeState.name`. */
  readonly name: string
  /** The price, including the cost of every node in addition to its instance. Undefined if it is unknown. */
  readonly price: UsdPerHour | undefined
}

/** Returns what remains of a node's price if commitments cover this share of its instance. */
const uncovered = (price: UsdPerHour | undefined, covered: number, overhead: UsdPerHour): UsdPerHour | undefined => {
  if (covered === 0) return price
  // If the instance is fully covered, it costs nothing more, even if its price is unknown.
  if (covered === 1) return overhead
  return price === undefined ? undefined : overhead + (price - overhead) * (1 - covered)
}

/**
 * Returns the share of each node that commitments cover, from 0 to 1, by `NodeState.name`. Nodes without a share are left out. If more
 * nodes run than a commitment covers, it covers the first of its nodes.
 */
export const coveredShares = (commitments: readonly Commitment[] = []): ReadonlyMap<string, number> => {
  const shares = new Map<string, number>()
  for (const { free, uses } of commitments) {
    let left = [...uses.values()].reduce((sum, each) => sum + each, free)
    for (const [node, units] of uses) {
      const covered = left < units ? left : units
      if (covered <= 0n || units <= 0n) continue
      shares.set(node, Number(covered) / Number(units))
      left -= covered
    }
  }
  return shares
}

/**
 * Returns the nodes, each with the amount by which the bill falls if all of them are removed (`docs/spec/policies.md#commitments`). As long
 * as more nodes run than a commitment covers, removing one of them saves its price, because the commitment then covers another node. After
 * that, removing a node saves only `nodeOverheadCost`.
 */
export const withMarginalPrices = <Node extends PricedNode>(
  nodes: readonly Node[],
  commitments: readonly Commitment[] = [],
  nodeOverheadCost: UsdPerHour = 0,
): readonly Node[] => {
  if (commitments.length === 0) return nodes
  const excess = new Map(commitments.map(({ name, free }) => [name, free < 0n ? -free : 0n]))
  return nodes.map((node) => {
    const commitment = commitments.find(({ uses }) => uses.has(node.name))
    const units = commitment?.uses.get(node.name) ?? 0n
    if (commitment === undefined || units <= 0n) return node
    const left = excess.get(commitment.name) ?? 0n
    const saved = left < units ? left : units
    excess.set(commitment.name, left - saved)
    const price = uncovered(node.price, 1 - Number(saved) / Number(units), nodeOverheadCost)
    return { ...node, price }
  })
}

/**
 * Returns the commitment that pays for all of these nodes in any case. Returns undefined if removing the nodes saves the price of an
 * instance.
 */
export const coveringCommitment = (
  nodes: readonly PricedNode[],
  commitments: readonly Commitment[] = [],
): string | undefined => {
  const excess = new Map(commitments.map(({ name, free }) => [name, free < 0n ? -free : 0n]))
  let first: string | undefined
  for (const { name } of nodes) {
    const commitment = commitments.find(({ uses }) => uses.has(name))
    if (commitment === undefined || (excess.get(commitment.name) ?? 0n) > 0n) return undefined
    first ??= commitment.name
  }
  return first
}
