import type { PriceDiscount } from '@kerf/provider-contract'
import type { CommitmentSpec } from './prepaid-terms.ts'

/** Returns the discounts of the commitments in list order. Ignores discounts whose factor is not above 0 and at most 1. */
export const readDiscounts = (specs: readonly CommitmentSpec[]): readonly PriceDiscount[] =>
  specs.flatMap(({ discount }): readonly PriceDiscount[] => {
    const factor = Number(discount?.factor)
    if (discount === undefined || !(factor > 0 && factor <= 1)) return []
    const { instanceTypes, capacityTypes = ['on-demand'] } = discount
    return [{ factor, ...(instanceTypes === undefined ? {} : { instanceTypes }), capacityTypes }]
  })
