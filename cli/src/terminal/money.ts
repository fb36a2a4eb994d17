import type { UsdPerHour } from '@kerf/apis'

/** What stands before prices that are only roughly right. */
export type PriceMark = '' | '~'

/** `$0.1234/h`: four digits, as price lists have them; `unknown` where nobody knows it. */
export const perHour = (price: UsdPerHour | undefined, mark: PriceMark = ''): string =>
  price === undefined ? 'unknown' : `${mark}$${price.toFixed(4)}/h`

/** `$88.87/month` at 730 hours, the cloud providers' own convention. */
export const perMonth = (price: UsdPerHour, mark: PriceMark = ''): string => `${mark}$${(price * 730).toFixed(2)}/month`

/** ` and 2 nodes without a known price`; nothing for none. Sums leave such nodes out. */
export const unpricedNote = (nodes: number): string =>
  nodes === 0 ? '' : ` and ${nodes} ${nodes === 1 ? 'node' : 'nodes'} without a known price`
