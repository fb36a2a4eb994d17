import type { UsdPerHour } from '@kerf/apis'
import { labelOf } from './read.ts'

/** The label in which providers, and the viewer it is named after, note what a node costs. */
export const PRICE_LABEL = 'eks-node-viewer/instance-price'

/** What an object's own label says it costs; not known is `undefined`, and never counted as free. */
export const priceOf = (object: unknown): UsdPerHour | undefined => {
  const text = labelOf(object, PRICE_LABEL)
  const price = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(price) && price >= 0 ? price : undefined
}

export interface Cost {
  readonly total: UsdPerHour
  /** How many have no known price, and are not in the total. */
  readonly unknown: number
}

export const costOf = (objects: readonly unknown[]): Cost => {
  const prices = objects.map(priceOf)
  return {
    total: prices.reduce<number>((sum, price) => sum + (price ?? 0), 0),
    unknown: prices.filter((price) => price === undefined).length,
  }
}

/** `$0.0380`; more than a dollar with two places. */
export const showPrice = (price: UsdPerHour): string => `$${price.toFixed(price < 1 ? 4 : 2)}`
