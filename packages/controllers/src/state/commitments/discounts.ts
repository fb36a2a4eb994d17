import type { PriceDiscount } from '@kerf/provider-contract'
import type { CommitmentSpec } from './prepaid-terms.ts'

/** Returns the discounts of the commitments, in the order of the list. A factor that is no number above 0 and up to 1 is left out. */
export const readDiscounts = (specs: readonly CommitmentSpec[]): readonly PriceDiscount[] =>
  specs.flatMap(({ discount }): readonly PriceDiscount[] => {
    const factor = Number(discount?.factor)
    if (discount === undefined || !(factor > 0 && factor <= 1)) return []
    const { instanceTypes, capacityTypes = ['on-demand'] } = discount
    return [{ factor, ...(instanceTypes === undefined ? {} : { instanceTypes }), capacityTypes }]
  })
