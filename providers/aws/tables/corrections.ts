import type { Correction } from '../../../tools/published-tables.ts'

/**
 * Corrections of values that are wrong in the tables that AWS publishes. To correct a price, add a line such as `{ table: 'first-prices',
 * line: 'us-east-1 m5', fact: 'large', value: 0.096, reason: '…' }` and run `npm run generate`.
 */
export const corrections: readonly Correction[] = []
