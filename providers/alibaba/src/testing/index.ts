import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { ecsNodeClassCases } from './ecs-node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'

export { loadSdk } from '../api/sdk.ts'
export { nodeName, registeredNode } from './ecs-node.ts'
export { FakeAccount, type FakeInstance } from './fake-alibaba/fake-account.ts'
export { FakeAlibaba, type FakeFault, throttled } from './fake-alibaba/fake-alibaba.ts'
export { onDemandPrice, spotPrice } from './fake-alibaba/fake-offer.ts'
export { ACCESS_KEY, CLUSTER, REGION, ZONES } from './fake-alibaba/names.ts'
export { apiOver, type FakeApi, fakeApi } from './fake-api.ts'

/** How the provider runs the conformance suite of the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).alibabaDriver,
  nodeClassCases: ecsNodeClassCases,
}
