import type { UsdPerHour } from '@kerf/apis'

/**
 * The default rate of exchange: the average of September 2025, the month of the prices that come with Kerf, rounded. Users can set another
 * one, because prices are compared with those of other clouds and shown in dollars.
 */
export const DEFAULT_CNY_PER_USD = 7.12
/** The month of the default rate. */
export const RATE_DATE = 'September 2025'

/** Returns the price in dollars. */
export const fromCny = (price: number, cnyPerUsd: number): UsdPerHour => price / cnyPerUsd
