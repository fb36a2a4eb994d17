import type { NodeClaim, UsdPerHour } from '@kerf/apis'
import { type ClaimCounts, countClaims, hasInstance } from '@kerf/controllers/cluster-view'
import { labelOf, nameOf } from './read.ts'

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
  claims.filter((claim) => isClaim(claim) && hasInstance(claim))

/** Claims, instances and Nodes, told apart as the controller tells them. */
export const claimCounts = (claims: readonly unknown[]): ClaimCounts => countClaims(claims.filter(isClaim))

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
