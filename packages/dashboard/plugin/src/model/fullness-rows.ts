import { labels, type UsdPerHour } from '@kerf/apis'
import { type Fullness, type FullnessByName, requestedShare } from './fullness.ts'
import { claimsCost, type Cost, costIfAsked } from './price.ts'
import type { Prices } from './prices.ts'
import { objectLabel, objectName, textAt } from './read.ts'

/** A NodePool and its Nodes. Nodes that report no allocatable resources are left out. */
export interface PoolRow {
  readonly pool: string
  readonly nodes: number
  readonly fullness: Fullness
  /** Absent if the NodeClaims are not known, or while prices are being requested. */
  readonly cost: Cost | undefined
}

/** A Node of a NodePool. */
export interface NodeRow {
  readonly node: string
  readonly pool: string
  readonly instanceType: string
  readonly fullness: Fullness
  /** Absent if the price or the NodeClaim is not known. */
  readonly price: UsdPerHour | undefined
}

/**
 * Returns the requested fraction of CPU or of memory, whichever is larger. The resource with the larger fraction
 * decides whether another pod fits.
 */
const fullestShare = (fullness: Fullness): number =>
  Math.max(requestedShare(fullness, 'cpu') ?? 0, requestedShare(fullness, 'memory') ?? 0)

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns a row for each NodePool that has nodes, by name. */
export const poolRows = (
  { pools }: FullnessByName,
  nodes: readonly unknown[],
  claims: readonly unknown[] | undefined,
  prices: Prices,
): readonly PoolRow[] => {
  const counted = Map.groupBy(nodes, (node) => objectLabel(node, labels.nodePool))
  const owned = Map.groupBy(claims ?? [], (claim) => objectLabel(claim, labels.nodePool))
  return Array.from(pools, ([pool, fullness]) => ({
    ...{ pool, fullness, nodes: counted.get(pool)?.length ?? 0 },
    cost: claims === undefined ? undefined : costIfAsked(claimsCost(owned.get(pool) ?? [], prices), prices),
  })).sort((a, b) => byName(a.pool, b.pool))
}

/**
 * Returns a row for each Node of a NodePool. The emptiest node comes first. Of two equally full nodes, the more expensive one comes first.
 */
export const nodeRows = (
  { nodes: byNode }: FullnessByName,
  nodes: readonly unknown[],
  claims: readonly unknown[] | undefined,
  prices: Prices,
): readonly NodeRow[] => {
  const claimOn = new Map((claims ?? []).map((claim) => [textAt(claim, 'status', 'nodeName') ?? '', claim]))
  return nodes
    .flatMap((node): readonly NodeRow[] => {
      const name = objectName(node)
      const fullness = byNode.get(name)
      if (fullness === undefined) return []
      return [
        {
          ...{ node: name, fullness, pool: objectLabel(node, labels.nodePool) ?? '' },
          instanceType: objectLabel(node, labels.instanceType) ?? '',
          price: prices.instance(claimOn.get(name)) ?? prices.instance(node),
        },
      ]
    })
    .sort(
      (a, b) =>
        fullestShare(a.fullness) - fullestShare(b.fullness) ||
        (b.price ?? 0) - (a.price ?? 0) ||
        byName(a.node, b.node),
    )
}
