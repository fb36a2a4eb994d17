import type { Correction } from '../../../tools/published-tables.ts'

/**
 * Corrections of wrong values in the published Google Cloud tables. To correct a price, add a line such as `{ table: 'prices', line:
 * 'europe-west1', fact: 'n2-standard-4', value: '0.2137/0.0469', reason: '…' }` and run `npm run generate`.
 */
export const corrections: readonly Correction[] = []
