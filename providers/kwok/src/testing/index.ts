import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { kwokNodeClassCases } from './kwok-node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'

/** The provider's configuration for the conformance suite of the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).kwokDriver,
  nodeClassCases: kwokNodeClassCases,
}
