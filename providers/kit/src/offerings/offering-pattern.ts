import type { OfferingPattern } from '@kerf/provider-contract'

/** Returns whether the pattern matches the offering. A field that is absent in the pattern matches any value. */
export const isMeantBy = (pattern: OfferingPattern, offering: Required<OfferingPattern>): boolean =>
  (pattern.capacityType ?? offering.capacityType) === offering.capacityType &&
  (pattern.instanceType ?? offering.instanceType) === offering.instanceType &&
  (pattern.zone ?? offering.zone) === offering.zone
