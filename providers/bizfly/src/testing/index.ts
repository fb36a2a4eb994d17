import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { bizflyNodeClassCases } from './node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'

export { registeredNode } from './bizfly-node.ts'
export { apiOver, type FakeApi, fakeApi, fakeJoin } from './fake-api.ts'
export { FakeAccount, type FakeServer } from './fake-bizfly/fake-account.ts'
export { FakeBizfly, type FakeCall, type FakeFault } from './fake-bizfly/fake-bizfly.ts'
export { CLUSTER, NETWORK, PASSWORD, REGION, ZONES } from './fake-bizfly/names.ts'

/** How the provider runs the conformance suite of the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).bizflyDriver,
  nodeClassCases: bizflyNodeClassCases,
}
