import type { OfferingPattern } from '@kerf/provider-contract'

/** Whether the pattern means the offering: what it does not name may be anything. */
export const isMeantBy = (pattern: OfferingPattern, offering: Required<OfferingPattern>): boolean =>
  (pattern.capacityType ?? offering.capacityType) === offering.capacityType &&
  (pattern.instanceType ?? offering.instanceType) === offering.instanceType &&
  (pattern.zone ?? offering.zone) === offering.zone
