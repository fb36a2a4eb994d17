import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { proxmoxCases } from './node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'

export { FAKE_USER, FakeCluster } from './fake-proxmox/fake-cluster.ts'
export { FAKE_SECRET, FakeProxmox } from './fake-proxmox/fake-proxmox.ts'
export { type FakeGuest, hypervisor } from './fake-proxmox/fake-state.ts'
export { serveProxmox } from './fake-proxmox/loopback.ts'
export { registeredNode } from './guest-node.ts'
export { fakeApi, testTypes } from './proxmox-harness.ts'

/** How the provider runs the conformance suite of the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).proxmoxDriver,
  nodeClassCases: proxmoxCases,
}
