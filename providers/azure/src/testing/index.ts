import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { aksNodeClassCases } from './aks-node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'

export { azureTestEnv, azureTestSettings, CLUSTER } from './azure-harness.ts'
export { fakeAzureApi, loadSdk, noRetries } from './fake-azure/connect.ts'
export { FakeAzure, type FakeRequest } from './fake-azure/fake-azure.ts'
export { LOCATION } from './fake-azure/fake-offer.ts'
export { type FakeVm, VM_TYPE, vmBody } from './fake-azure/fake-vms.ts'
export { type ServedAzure, serveAzure } from './fake-azure/loopback.ts'
export { GROUP, SUBNET, SUBSCRIPTION } from './fake-azure/names.ts'
export { findRoute } from './fake-azure/operations.ts'
export { machineTestEnv } from './machine-harness.ts'
export { readCustomData, variablesIn, vmNode } from './vm-node.ts'

/** Configures the contract's conformance suite for this provider. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).azureDriver,
  nodeClassCases: aksNodeClassCases,
}
