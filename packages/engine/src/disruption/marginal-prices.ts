import type { UsdPerHour } from '@kerf/apis'
import type { Commitment, CommitmentPart } from '../snapshot.ts'

const NO_PART: CommitmentPart = { units: 0n, share: 0 }

/** A node with the price of its instance. */
export interface PricedNode {
  /** `NodeState.name`. */
  readonly name: string
  /** The price, including the overhead cost per node. Undefined if it is unknown. */
  readonly price: UsdPerHour | undefined
}

/** Shares of an instance are sums of fractions, so their total can differ from 1 by a rounding error. */
const ROUNDING = 1e-9

/** Returns the part of a node's price that remains if commitments cover this share of its instance. */
const uncovered = (price: UsdPerHour | undefined, covered: number, overhead: UsdPerHour): UsdPerHour | undefined => {
  if (covered <= ROUNDING) return price
  // If the instance is fully covered, it costs nothing more, even if its price is unknown.
  if (covered >= 1 - ROUNDING) return overhead
  return price === undefined ? undefined : overhead + (price - overhead) * (1 - covered)
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * Returns the share of each node that commitments cover, from 0 to 1, by `NodeState.name`. Nodes without a share are left out. If more
 * nodes run than a commitment covers, it covers the first of its nodes.
 */
export const coveredShares = (commitments: readonly Commitment[] = []): ReadonlyMap<string, number> => {
  const shares = new Map<string, number>()
  for (const { free, uses } of commitments) {
    let left = [...uses.values()].reduce((sum, { units }) => sum + units, free)
    for (const [node, { units, share }] of uses) {
      const covered = least(left, units)
      if (covered <= 0n || units <= 0n) continue
      const sum = (shares.get(node) ?? 0) + share * (Number(covered) / Number(units))
      shares.set(node, sum >= 1 - ROUNDING ? 1 : sum)
      left -= covered
    }
  }
  return shares
}

/** Returns the amount by which the nodes of each commitment exceed it, in billionths of its unit. */
const excesses = (commitments: readonly Commitment[]): Map<Commitment, bigint> =>
  new Map(commitments.map((commitment) => [commitment, commitment.free < 0n ? -commitment.free : 0n]))

/**
 * Returns the nodes with their marginal prices: the amount that each node contributes to the savings if all of them are removed
 * (`docs/spec/policies.md#commitments`). As long as more nodes run than a commitment covers, removing one of them saves its price, because
 * the commitment then covers another node. After that, removing a node saves only `nodeOverheadCost`.
 */
export const withMarginalPrices = <Node extends PricedNode>(
  nodes: readonly Node[],
  commitments: readonly Commitment[] = [],
  nodeOverheadCost: UsdPerHour = 0,
): readonly Node[] => {
  if (commitments.length === 0) return nodes
  const excess = excesses(commitments)
  return nodes.map((node) => {
    let covered = 0
    for (const commitment of commitments) {
      const { units, share } = commitment.uses.get(node.name) ?? NO_PART
      if (units <= 0n) continue
      const left = excess.get(commitment) ?? 0n
      const saved = least(left, units)
      excess.set(commitment, left - saved)
      covered += share * (1 - Number(saved) / Number(units))
    }
    if (covered === 0) return node
    return { ...node, price: uncovered(node.price, covered, nodeOverheadCost) }
  })
}

/**
 * Returns the commitment that pays for all of these nodes, whether they run or not. Returns undefined if removing the nodes saves the price
 * of an instance.
 */
export const coveringCommitment = (
  nodes: readonly PricedNode[],
  commitments: readonly Commitment[] = [],
): string | undefined => {
  let first: string | undefined
  for (const { name } of nodes) {
    const own = commitments.filter(({ uses }) => uses.has(name))
    if (own.length === 0 || own.some(({ free }) => free < 0n)) return undefined
    first ??= own[0]?.name
  }
  return first
}
