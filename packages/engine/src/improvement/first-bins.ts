import { wordAt } from '../column.ts'
import type { ConstraintsId } from '../model/ids.ts'
import { UNKNOWN_PRICE } from '../model/instance-type-options.ts'
import { type Bin, NO_FIXED_PODS } from './bin.ts'
import { NO_FLEXIBILITY } from './flexibility.ts'
import type { Model } from './model.ts'
import type { Prices } from './prices.ts'

/**
 * Returns the first plan as bins. The search starts from these bins and compares its results with them. Returns `undefined` if the price of
 * a node is unknown.
 */
export const firstBins = (model: Model): readonly Bin[] | undefined => {
  const bins: Bin[] = []
  for (const [number, { template, constraints, used, entries, fixed }] of model.claims.entries()) {
    const price = firstPrice(model, constraints, used)
    if (price === undefined) return undefined
    const podSets = entries.map(([podSet]) => podSet)
    const counts = entries.map(([, count]) => count)
    bins.push({ template, constraints, used, podSets, counts, price, fixed: fixed.length > 0 ? number : NO_FIXED_PODS })
  }
  return bins
}

/** Returns the price of the cheapest offering that is large enough for a claim of the first plan; `undefined` if the price is unknown. */
const firstPrice = (model: Model, constraintsId: ConstraintsId, used: Float64Array): number | undefined => {
  const { index, offerings } = model.constraintsTable.get(constraintsId)
  for (let number = 0; number < index.template.offerings.length; number++) {
    if ((wordAt(offerings, number >>> 5) & (1 << (number & 31))) === 0 || !index.fits(number, used)) continue
    const price = index.template.offerings[number]?.price
    return price === undefined || price === UNKNOWN_PRICE ? undefined : price + model.nodeOverheadCost
  }
  return undefined
}

/** Returns the bin with only the fixed pods of a claim; `undefined` if the claim has no fixed pods. */
export const fixedBin = (model: Model, prices: Prices, number: number): Bin | undefined => {
  const claim = model.claims[number]
  if (claim === undefined || claim.fixed.length === 0) return undefined
  const price = prices.of(claim.fixedConstraints, claim.fixedUsed, NO_FLEXIBILITY)
  if (price === undefined) return undefined
  const { template, fixedConstraints, fixedUsed } = claim
  return { template, constraints: fixedConstraints, used: fixedUsed, podSets: [], counts: [], price, fixed: number }
}
