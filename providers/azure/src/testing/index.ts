import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { notApplicable } from './not-applicable.ts'

export { azureTestSettings } from './azure-world.ts'
export { apiOf } from './fake-azure/connect.ts'
export { FakeAzure, type FakeRequest } from './fake-azure/fake-azure.ts'
export { type NodeClassVerdict, nodeClassVerdicts, verdictLine } from './node-class-verdicts.ts'

/** How the provider is held to the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).azureDriver,
}
