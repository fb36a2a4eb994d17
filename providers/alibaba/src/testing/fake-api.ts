import { type RetryPolicy, usualRetries } from '@kerf/provider-kit'
import { SeededRandom, type VirtualClock } from '@kerf/runtime'
import type { AlibabaApi } from '../api/actions.ts'
import { httpApi } from '../api/http-api.ts'
import { loadSdk } from '../api/sdk.ts'
import { FakeAccount, type FakeAccountOptions } from './fake-alibaba/fake-account.ts'
import { FakeAlibaba } from './fake-alibaba/fake-alibaba.ts'
import { ACCESS_KEY } from './fake-alibaba/names.ts'

/** No retries of the client, so that virtual time need not advance. */
const noRetries: RetryPolicy = { ...usualRetries, attempts: 1 }

const endpoints = { ecs: 'https://ecs.test', vpc: 'https://vpc.test', cs: 'https://cs.test' } as const

/** A fake account, and the calls to it as the provider makes them: encoded and signed by the vendor's SDK. */
export interface FakeApi {
  readonly account: FakeAccount
  readonly cloud: FakeAlibaba
  readonly api: AlibabaApi
}

export const fakeApi = async (
  clock: VirtualClock,
  options: FakeAccountOptions & { readonly retries?: RetryPolicy } = {},
): Promise<FakeApi> => {
  const account = new FakeAccount(clock, options)
  const cloud = new FakeAlibaba(account)
  const api = httpApi({
    ...{ sdk: await loadSdk(), send: cloud.send, endpoints, clock, random: new SeededRandom('calls') },
    keys: async () => ({ accessKeyId: ACCESS_KEY.id, accessKeySecret: ACCESS_KEY.secret }),
    retries: options.retries ?? noRetries,
  })
  return { account, cloud, api }
}
