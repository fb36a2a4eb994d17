import { type RetryPolicy, type Send, usualRetries } from '@kerf/provider-kit'
import { type Clock, type Random, SeededRandom } from '@kerf/runtime'
import type { BizflyApi } from '../api/bizfly-api.ts'
import { httpApi } from '../api/http-api.ts'
import { tokenCredentials } from '../api/sign-in.ts'
import { FakeAccount, type FakeAccountOptions } from './fake-bizfly/fake-account.ts'
import { FakeBizfly } from './fake-bizfly/fake-bizfly.ts'
import { CLUSTER, CLUSTER_TOKEN, EMAIL, JOIN_ENDPOINT, PASSWORD, REGION } from './fake-bizfly/names.ts'

/** A retry policy that never retries, so that tests need not advance virtual time. */
const noRetries: RetryPolicy = { ...usualRetries, attempts: 1 }

/** The data with which the fake's servers join their cluster. */
export const fakeJoin = {
  ...{ clusterId: CLUSTER, clusterToken: CLUSTER_TOKEN },
  ...{ joinEndpoint: JOIN_ENDPOINT, logEndpoint: '' },
} as const

/** Returns the provider's client over `send`, with the fake's credentials. */
export const apiOver = (
  send: Send,
  {
    retries = usualRetries,
    region = REGION,
    ...system
  }: { readonly clock: Clock; readonly random: Random; readonly retries?: RetryPolicy; readonly region?: string },
): BizflyApi => {
  const api = 'https://bizfly.test'
  const body = { auth_method: 'password', username: EMAIL, password: PASSWORD } as const
  const credentials = tokenCredentials(api, body, '', { send, retries, ...system })
  return httpApi({ ...{ send, api, region, credentials, retries }, ...system, ...fakeJoin })
}

/** A fake account, and the provider's client for it. */
export interface FakeApi {
  readonly account: FakeAccount
  readonly cloud: FakeBizfly
  readonly api: BizflyApi
}

export const fakeApi = (
  clock: Clock,
  options: FakeAccountOptions & { readonly retries?: RetryPolicy; readonly region?: string } = {},
): FakeApi => {
  const account = new FakeAccount(clock, options)
  const cloud = new FakeBizfly(account)
  const { retries = noRetries, region = REGION } = options
  return { account, cloud, api: apiOver(cloud.send, { clock, random: new SeededRandom('calls'), retries, region }) }
}
