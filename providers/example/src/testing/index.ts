import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { notApplicable } from './not-applicable.ts'

export { PROVIDER_ID_PREFIX, TAG } from '../example-provider.ts'
export { FakeServers } from './fake-servers.ts'

/** How the provider runs the conformance suite of the contract. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).exampleDriver,
}
