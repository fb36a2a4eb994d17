import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { communityNodeClassCases } from './community-node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'
import { oracleNodeClassCases } from './oracle-node-class-cases.ts'

export { loadSdk } from '../api/sdk-modules.ts'
export { FakeAccount, type FakeInstance } from './fake-oci/fake-account.ts'
export { apiOver } from './fake-oci/fake-api.ts'
export { FakeOci, operationName } from './fake-oci/fake-oci.ts'
export { fakeStockOut } from './fake-oci/fake-stock-out.ts'
export { AVAILABILITY_DOMAINS } from './fake-oci/names.ts'
export { throttled } from './fake-oci/refusal.ts'
export { CLUSTER, createClasses, newOciProvider, VM_LAUNCH_TIMEOUT } from './oci-harness.ts'
export { registeredNode } from './oci-node.ts'
export { fakeTypes, simulatedSizes } from './type-samples.ts'

/**
 * How the provider runs the conformance suite of the contract. The suite runs for both node class kinds. This driver is for the default
 * kind.
 */
export const conformance: ProviderConformance = {
  notApplicable: notApplicable.oracle,
  driver: async () => (await import('./conformance-driver.ts')).ociDriver('oracle'),
  nodeClassCases: () => [...oracleNodeClassCases(), ...communityNodeClassCases()],
}
