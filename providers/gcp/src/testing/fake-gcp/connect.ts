import { AccessTokens, HttpClient, type RetryPolicy, type Send, usualRetries } from '@kerf/provider-kit'
import { SeededRandom } from '@kerf/runtime'
import { type BillingCatalog, billingCatalog } from '../../api/billing-catalog.ts'
import type { GcpApi } from '../../api/gcp-api.ts'
import { type IamApi, iamApi } from '../../api/iam-api.ts'
import { sdkApi } from '../../api/sdk-api.ts'
import { isThrottled } from '../../api/sdk-options.ts'
import type { FakeGcp } from './fake-gcp.ts'
import { CLUSTER, PROJECT, REGION } from './names.ts'

/** A retry policy that never retries, for tests in which time does not advance during a call. */
const noRetries: RetryPolicy = { ...usualRetries, attempts: 1 }

/** The connection between a test and the fake. */
export interface FakeConnection {
  readonly send?: Send
  readonly retries?: RetryPolicy
  /** The root URL of both services. The default is Google's. */
  readonly endpoint?: string
  readonly project?: string
  readonly location?: string
}

const fakeHttp = (gcp: FakeGcp, { send = gcp.send, retries = noRetries }: FakeConnection): HttpClient => {
  const { clock } = gcp
  const credentials = new AccessTokens(clock, async () => ({ value: [...gcp.tokens][0] ?? '' }))
  return new HttpClient({ send, clock, random: new SeededRandom(1), credentials, retries, isThrottled })
}

/** Returns the client for the fake's permission tests. */
export const fakeIamApi = (gcp: FakeGcp): IamApi => iamApi({ project: PROJECT, http: fakeHttp(gcp, {}) })

/** Returns the client for the fake's price list. */
export const fakeBillingCatalog = (gcp: FakeGcp): BillingCatalog => billingCatalog({ http: fakeHttp(gcp, {}) })

/** Returns the client for the fake's API. It uses the real clients of the SDK. */
export const fakeApi = (gcp: FakeGcp, connection: FakeConnection = {}): GcpApi => {
  const { endpoint, project = PROJECT, location = REGION } = connection
  const http = fakeHttp(gcp, connection)
  return sdkApi({ project, cluster: CLUSTER, location, http, ...(endpoint === undefined ? {} : { endpoint }) })
}

/** Loads the SDK packages. Otherwise the first call would load them, and no test clock controls that time. */
export const loadSdk = async (): Promise<void> => {
  await Promise.all([import('../../api/clients/compute.ts'), import('../../api/clients/container.ts')])
}
