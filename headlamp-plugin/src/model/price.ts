import type { NodeClaim, UsdPerHour } from '@kerf/apis'
import { type ClaimCounts, countClaims, hasInstance } from '@kerf/controllers/cluster-view'
import { isTrue } from './conditions.ts'
import { labelOf, nameOf, withSoundStatus } from './read.ts'

/** The label in which providers, and the viewer it is named after, note what a node costs. */
export const PRICE_LABEL = 'eks-node-viewer/instance-price'

/** What an object's own label says it costs; not known is `undefined`, and never counted as free. */
export const priceOf = (object: unknown): UsdPerHour | undefined => {
  const text = labelOf(object, PRICE_LABEL)
  const price = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(price) && price >= 0 ? price : undefined
}

const isClaim = (object: unknown): object is NodeClaim => nameOf(object) !== ''

/** The claims that have an instance, which is what costs: those that drain do, those that were never launched do not. */
export const launchedClaims = (claims: readonly unknown[]): readonly unknown[] =>
  claims.filter((claim) => isClaim(claim) && hasInstance(withSoundStatus(claim)))

/** Claims, instances and Nodes, told apart as the controller tells them. */
export const claimCounts = (claims: readonly unknown[]): ClaimCounts =>
  countClaims(claims.filter(isClaim).map(withSoundStatus))

export interface Cost {
  readonly total: UsdPerHour
  /** How many instances there are. */
  readonly instances: number
  /** How many of them have no known price, and are not in the total. */
  readonly unknown: number
}

/** What the instances of claims cost. */
export const costOf = (claims: readonly unknown[]): Cost => {
  const prices = launchedClaims(claims).map(priceOf)
  return {
    instances: prices.length,
    total: prices.reduce<number>((sum, price) => sum + (price ?? 0), 0),
    unknown: prices.filter((price) => price === undefined).length,
  }
}

/** `$0.0380`; more than a dollar with two places. */
export const showPrice = (price: UsdPerHour): string => `$${price.toFixed(price < 1 ? 4 : 2)}`

/** The nodes of a pool that have joined, by capacity type, and what its instances cost. */
export interface PoolNodes {
  readonly pool: string
  readonly nodes: readonly { readonly capacityType: string; readonly count: number }[]
  readonly cost: Cost
}

/** Nodes by pool and capacity type: the pool that costs most first. */
export const nodesByPool = (claims: readonly unknown[]): readonly PoolNodes[] => {
  const byPool = new Map<string, unknown[]>()
  for (const claim of launchedClaims(claims)) {
    const pool = labelOf(claim, 'karpenter.sh/nodepool') ?? ''
    const own = byPool.get(pool)
    if (own === undefined) byPool.set(pool, [claim])
    else own.push(claim)
  }
  const rows = Array.from(byPool, ([pool, own]): PoolNodes => {
    const counts = new Map<string, number>()
    for (const claim of own) {
      const capacityType = labelOf(claim, 'karpenter.sh/capacity-type') ?? '–'
      if (isTrue(claim, 'Registered')) counts.set(capacityType, (counts.get(capacityType) ?? 0) + 1)
    }
    const nodes = Array.from(counts, ([capacityType, count]) => ({ capacityType, count }))
    return { pool, nodes: nodes.sort((a, b) => b.count - a.count), cost: costOf(own) }
  })
  return rows.sort((a, b) => b.cost.total - a.cost.total || (a.pool < b.pool ? -1 : 1))
}
