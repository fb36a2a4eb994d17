import type { UsdPerHour } from '@kerf/apis'
import { hourlyCost, usedOfCeiling } from './packing/ceilings.ts'
import type { ClusterSnapshot, NodeState } from './snapshot.ts'

/** A node that a plan has launched. */
export interface NewNode {
  readonly node: NodeState
  /** Absent if the price is unknown. */
  readonly price?: UsdPerHour | undefined
}

/** Returns the snapshot with the free amount of each ceiling changed by `sign` times what the nodes use of it. */
const withUse = (snapshot: ClusterSnapshot, changed: readonly NodeState[], sign: 1n | -1n): ClusterSnapshot => {
  const { ceilings } = snapshot
  if (ceilings === undefined) return snapshot
  const { free, prices } = ceilings
  const amounts = Array.from(free, ([name, amount]) => {
    const used = changed.reduce((sum, node) => sum + usedOfCeiling(name, node, prices), 0n)
    return [name, amount + sign * used] as const
  })
  return { ...snapshot, ceilings: { ...ceilings, free: new Map(amounts) } }
}

/**
 * Returns the snapshot without some of its nodes, for plans of a cluster that has already removed them. What they use of the ceilings is
 * free again (`docs/spec/policies.md#ceilings`). Nodes that are being removed release nothing more: the headroom may leave them out already.
 */
export const withoutNodes = (snapshot: ClusterSnapshot, isRemoved: (node: NodeState) => boolean): ClusterSnapshot => {
  const nodes = snapshot.nodes.filter((node) => !isRemoved(node))
  return { ...withUse(snapshot, snapshot.nodes.filter(isRemoved), 1n), nodes }
}

/** Returns the snapshot with further nodes. They use a part of the ceilings. */
export const withNewNodes = (snapshot: ClusterSnapshot, launched: readonly NewNode[]): ClusterSnapshot => {
  const { ceilings } = snapshot
  const added = launched.map(({ node }) => node)
  const nodes = [...snapshot.nodes, ...added]
  if (ceilings?.prices === undefined) return { ...withUse(snapshot, added, -1n), nodes }
  const prices = new Map(ceilings.prices)
  for (const { node, price } of launched) prices.set(node.name, price === undefined ? 0n : hourlyCost(price))
  return { ...withUse({ ...snapshot, ceilings: { ...ceilings, prices } }, added, -1n), nodes }
}
