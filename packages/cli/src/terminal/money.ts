import type { UsdPerHour } from '@kerf/apis'

/** The prefix of approximate prices. */
export type PriceMark = '' | '~'

/** Returns a price per hour with four digits, as in price lists, for example `$0.1234/h`. Returns `unknown` for an unknown price. */
export const perHour = (price: UsdPerHour | undefined, mark: PriceMark = ''): string =>
  price === undefined ? 'unknown' : `${mark}$${price.toFixed(4)}/h`

/** Returns a price per month, for example `$88.87/month`. A month has 730 hours, as is usual for cloud providers. */
export const perMonth = (price: UsdPerHour, mark: PriceMark = ''): string => `${mark}$${(price * 730).toFixed(2)}/month`

/**
 * Returns a note for a sum that excludes nodes, for example ` and 2 nodes without a known price`. Returns an empty string for 0 nodes.
 */
export const unpricedNote = (nodes: number): string =>
  nodes === 0 ? '' : ` and ${nodes} ${nodes === 1 ? 'node' : 'nodes'} without a known price`
