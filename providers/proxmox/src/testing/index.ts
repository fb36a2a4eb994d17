import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { notApplicable } from './not-applicable.ts'

export { FakeCluster, type FakeTimes } from './fake-proxmox/fake-cluster.ts'
export { type FakeFault, FakeProxmox } from './fake-proxmox/fake-proxmox.ts'
export { hypervisor } from './fake-proxmox/fake-state.ts'
export { fakeApi } from './proxmox-harness.ts'

/** How the provider runs the conformance suite of the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).proxmoxDriver,
}
