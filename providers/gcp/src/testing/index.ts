import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { gceNodeClassCases } from './gce-node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'

export { GcpPrices } from '../prices/gcp-prices.ts'
export { fakeApi, loadSdk } from './fake-gcp/connect.ts'
export { routeOfRequest } from './fake-gcp/discovery.ts'
export { FakeGcp } from './fake-gcp/fake-gcp.ts'
export { serveGcp } from './fake-gcp/loopback.ts'
export { gceNode } from './gce-node.ts'
export { gcpEnv } from './gcp-credentials.ts'
export { gcpTestOptions, publishImages } from './gcp-harness.ts'
export { instanceRequest } from './instance-request.ts'
export { sourceTemplate } from './source-template.ts'

/** How the provider runs the conformance suite of the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).gcpDriver,
  nodeClassCases: gceNodeClassCases,
}
