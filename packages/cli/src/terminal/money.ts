import type { UsdPerHour } from '@kerf/apis'

/** Prefix of approximate prices. */
export type PriceMark = '' | '~'

/** Returns a price per hour with four digits as in price lists, for example `$0.1234/h`. Returns `unknown` for an unknown price. */
export const perHour = (price: UsdPerHour | undefined, mark: PriceMark = ''): string =>
  price === undefined ? 'unknown' : `${mark}$${price.toFixed(4)}/h`

/** Returns a price per month, for example `$88.87/month`. A month has 730 hours, which is the convention of cloud providers. */
export const perMonth = (price: UsdPerHour, mark: PriceMark = ''): string => `${mark}$${(price * 730).toFixed(2)}/month`

/**
 * Returns a note such as ` and 2 nodes without a known price` for a sum that leaves such nodes out. Returns an empty string for no nodes.
 */
export const unpricedNote = (nodes: number): string =>
  nodes === 0 ? '' : ` and ${nodes} ${nodes === 1 ? 'node' : 'nodes'} without a known price`
