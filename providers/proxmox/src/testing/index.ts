import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { notApplicable } from './not-applicable.ts'

export { FakeCluster } from './fake-proxmox/fake-cluster.ts'
export { FakeProxmox } from './fake-proxmox/fake-proxmox.ts'
export { type FakeGuest, hypervisor } from './fake-proxmox/fake-state.ts'
export { registeredNode } from './guest-node.ts'
export { fakeApi, testTypes } from './proxmox-harness.ts'

/** How the provider runs the conformance suite of the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).proxmoxDriver,
}
