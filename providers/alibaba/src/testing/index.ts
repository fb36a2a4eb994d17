import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { ecsNodeClassCases } from './ecs-node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'

/** How the provider runs the conformance suite of the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).alibabaDriver,
  nodeClassCases: ecsNodeClassCases,
}
