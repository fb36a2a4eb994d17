import type { UsdPerHour } from '@kerf/apis'

/**
 * The default exchange rate: the central parity rate of the China Foreign Exchange Trade System on 22 September 2025 (7.1106), rounded.
 * Kerf's built-in prices date from the same month. Users can set another rate.
 */
export const DEFAULT_CNY_PER_USD = 7.11
/** The date of the default rate. */
export const RATE_DATE = '22 September 2025'

/** Converts a price from CNY to dollars. */
export const fromCny = (price: number, cnyPerUsd: number): UsdPerHour => price / cnyPerUsd
