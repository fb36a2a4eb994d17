import type { OfferingPattern } from '@kerf/provider-contract'

/** Returns true if the pattern matches the offering. A field that is missing in the pattern matches any value. */
export const isMeantBy = (pattern: OfferingPattern, offering: Required<OfferingPattern>): boolean =>
  (pattern.capacityType ?? offering.capacityType) === offering.capacityType &&
  (pattern.instanceType ?? offering.instanceType) === offering.instanceType &&
  (pattern.zone ?? offering.zone) === offering.zone
