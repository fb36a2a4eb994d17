import type { NodeClaim, UsdPerHour } from '@kerf/apis'
import { type ClaimCounts, countClaims, hasInstance } from '@kerf/controllers/cluster-view'
import { isTrue } from './conditions.ts'
import { priceLabels } from './generated/displayed-kinds.ts'
import { objectLabel, objectName, withSoundStatus } from './read.ts'

/**
 * Returns the price in the object's own label, or `undefined` if it is unknown. An unknown price never counts as 0.
 */
export const claimPrice = (object: unknown): UsdPerHour | undefined => {
  const text = priceLabels.map((label) => objectLabel(object, label)).find((each) => each !== undefined)
  const price = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(price) && price >= 0 ? price : undefined
}

const isClaim = (object: unknown): object is NodeClaim => objectName(object) !== ''

/**
 * Returns the claims that have an instance and therefore a cost. They include draining claims, but no claims that
 * were never launched.
 */
export const launchedClaims = (claims: readonly unknown[]): readonly unknown[] =>
  claims.filter((claim) => isClaim(claim) && hasInstance(withSoundStatus(claim)))

/** Counts claims, instances and Nodes by the controller's definitions. */
export const claimCounts = (claims: readonly unknown[]): ClaimCounts =>
  countClaims(claims.filter(isClaim).map(withSoundStatus))

export interface Cost {
  readonly total: UsdPerHour
  /** The number of instances. */
  readonly instances: number
  /** The number of instances whose price is unknown. The total excludes them. */
  readonly unknown: number
}

/** Returns the cost of the claims' instances. */
export const claimsCost = (claims: readonly unknown[]): Cost => {
  const prices = launchedClaims(claims).map(claimPrice)
  return {
    instances: prices.length,
    total: prices.reduce<number>((sum, price) => sum + (price ?? 0), 0),
    unknown: prices.filter((price) => price === undefined).length,
  }
}

/**
 * Returns a price such as `$0.0380`. Prices above a dollar have two decimals, and separators between thousands. The format
 * is the same in every language, as in the cloud's own price lists.
 */
export const showPrice = (price: UsdPerHour): string => {
  const [whole = '', decimals = ''] = price.toFixed(price < 1 ? 4 : 2).split('.')
  return `$${Number(whole).toLocaleString('en')}.${decimals}`
}

/** The registered nodes of a pool by capacity type, and the cost of its instances. */
export interface PoolNodes {
  readonly pool: string
  readonly nodes: readonly { readonly capacityType: string; readonly count: number }[]
  readonly cost: Cost
}

/** Returns the nodes by pool and capacity type. The most expensive pool comes first. */
export const nodesByPool = (claims: readonly unknown[]): readonly PoolNodes[] => {
  const byPool = new Map<string, unknown[]>()
  for (const claim of launchedClaims(claims)) {
    const pool = objectLabel(claim, 'karpenter.sh/nodepool') ?? ''
    const own = byPool.get(pool)
    if (own === undefined) byPool.set(pool, [claim])
    else own.push(claim)
  }
  const rows = Array.from(byPool, ([pool, own]): PoolNodes => {
    const counts = new Map<string, number>()
    for (const claim of own) {
      const capacityType = objectLabel(claim, 'karpenter.sh/capacity-type') ?? '–'
      if (isTrue(claim, 'Registered')) counts.set(capacityType, (counts.get(capacityType) ?? 0) + 1)
    }
    const nodes = Array.from(counts, ([capacityType, count]) => ({ capacityType, count }))
    return { pool, nodes: nodes.sort((a, b) => b.count - a.count), cost: claimsCost(own) }
  })
  return rows.sort((a, b) => b.cost.total - a.cost.total || (a.pool < b.pool ? -1 : 1))
}
