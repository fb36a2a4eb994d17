import type { Correction } from '../../../tools/published-tables.ts'

/**
 * Values that are wrong in the published tables of Azure. To correct a price, add a line such as `{ table: 'first-prices', line:
 * 'westeurope', fact: 'D4s_v5', value: 0.23, reason: '…' }` and run `npm run generate`.
 */
export const corrections: readonly Correction[] = []
