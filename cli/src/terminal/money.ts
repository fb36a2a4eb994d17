import type { UsdPerHour } from '@kerf/apis'

/** `$0.1234/h`: four digits, as price lists have them. */
export const perHour = (price: UsdPerHour): string => `$${price.toFixed(4)}/h`

/** `$88.87/month` at 730 hours, the cloud providers' own convention. */
export const perMonth = (price: UsdPerHour): string => `$${(price * 730).toFixed(2)}/month`
