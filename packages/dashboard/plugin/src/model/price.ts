import type { NodeClaim, UsdPerHour } from '@kerf/apis'
import { type ClaimCounts, countClaims, hasInstance } from '@kerf/controllers/cluster-view'
import { grouped } from './amounts.ts'
import { isTrue } from './conditions.ts'
import type { Prices } from './prices.ts'
import { objectLabel, objectName, withSoundStatus } from './read.ts'

const POOL = 'karpenter.sh/nodepool'

const isClaim = (object: unknown): object is NodeClaim => objectName(object) !== ''

/**
 * Returns the claims that have an instance and therefore a cost. They include draining claims, but no claims that
 * were never launched.
 */
export const launchedClaims = (claims: readonly unknown[]): readonly unknown[] =>
  claims.filter((claim) => isClaim(claim) && hasInstance(withSoundStatus(claim)))

/** Counts claims, instances and Nodes in the same way as the controller. */
export const claimCounts = (claims: readonly unknown[]): ClaimCounts =>
  countClaims(claims.filter(isClaim).map(withSoundStatus))

export interface Cost {
  readonly total: UsdPerHour
  /** The number of instances. */
  readonly instances: number
  /** The number of instances whose price is unknown. The total excludes them. */
  readonly unknown: number
}

const NO_COST: Cost = { total: 0, instances: 0, unknown: 0 }

const instancesCost = (claims: readonly unknown[], prices: Prices): Cost => {
  const known = claims.map((claim) => prices.instance(claim))
  return {
    instances: known.length,
    total: known.reduce<number>((sum, price) => sum + (price ?? 0), 0),
    unknown: known.filter((price) => price === undefined).length,
  }
}

/**
 * Returns the cost of all launched NodeClaims of a NodePool. If some of their prices are unknown, returns the cost of
 * the NodePool that the controller reports.
 */
const poolCost = (pool: string, claims: readonly unknown[], prices: Prices): Cost => {
  const cost = instancesCost(claims, prices)
  const reported = cost.unknown === 0 ? undefined : prices.pool(pool)
  return reported === undefined || reported < cost.total ? cost : { ...cost, total: reported, unknown: 0 }
}

const launchedByPool = (claims: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> =>
  Map.groupBy(launchedClaims(claims), (claim) => objectLabel(claim, POOL) ?? '')

/** Returns the cost of the claims' instances. For each NodePool, `claims` must contain either all of its claims or none. */
export const claimsCost = (claims: readonly unknown[], prices: Prices): Cost =>
  Array.from(launchedByPool(claims), ([pool, own]) => poolCost(pool, own, prices)).reduce(
    (sum, { total, instances, unknown }) => ({
      total: sum.total + total,
      instances: sum.instances + instances,
      unknown: sum.unknown + unknown,
    }),
    NO_COST,
  )

/** Returns the cost, or undefined if some of its prices are unknown and the request for them has not ended. */
export const costIfAsked = (cost: Cost, { isAsking }: Prices): Cost | undefined =>
  isAsking && cost.unknown > 0 ? undefined : cost

/**
 * Returns a price such as `$0.0380`. Zero and prices above a dollar have two decimals, and separators between thousands. The format
 * is the same in every language, as in the cloud's own price lists.
 */
export const showPrice = (price: UsdPerHour): string => {
  const [whole = '', decimals = ''] = price.toFixed(price > 0 && price < 1 ? 4 : 2).split('.')
  return `$${grouped.format(Number(whole))}.${decimals}`
}

/** The registered nodes of a pool by capacity type, and the cost of its instances. */
export interface PoolNodes {
  readonly pool: string
  readonly nodes: readonly { readonly capacityType: string; readonly count: number }[]
  readonly cost: Cost
}

/** Returns the nodes by pool and capacity type. The most expensive pool comes first. */
export const nodesByPool = (claims: readonly unknown[], prices: Prices): readonly PoolNodes[] => {
  const rows = Array.from(launchedByPool(claims), ([pool, own]): PoolNodes => {
    const counts = new Map<string, number>()
    for (const claim of own) {
      const capacityType = objectLabel(claim, 'karpenter.sh/capacity-type') ?? '–'
      if (isTrue(claim, 'Registered')) counts.set(capacityType, (counts.get(capacityType) ?? 0) + 1)
    }
    const nodes = Array.from(counts, ([capacityType, count]) => ({ capacityType, count }))
    return { pool, nodes: nodes.sort((a, b) => b.count - a.count), cost: poolCost(pool, own, prices) }
  })
  return rows.sort((a, b) => b.cost.total - a.cost.total || (a.pool < b.pool ? -1 : 1))
}
