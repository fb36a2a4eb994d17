import { type RetryPolicy, type Send, usualRetries } from '@kerf/provider-kit'
import { type Clock, type Random, SeededRandom, type VirtualClock } from '@kerf/runtime'
import type { AlibabaApi } from '../api/actions.ts'
import { httpApi } from '../api/http-api.ts'
import { type AccessKeys, loadSdk, type Sdk } from '../api/sdk.ts'
import { FakeAccount, type FakeAccountOptions } from './fake-alibaba/fake-account.ts'
import { FakeAlibaba } from './fake-alibaba/fake-alibaba.ts'
import { ACCESS_KEY } from './fake-alibaba/names.ts'

/** A retry policy that never retries, so that tests need not advance virtual time. */
const noRetries: RetryPolicy = { ...usualRetries, attempts: 1 }

const endpoints = { ecs: 'https://ecs.test', vpc: 'https://vpc.test', cs: 'https://cs.test' } as const

/** Returns the provider's API client over `send`, with the fake's keys. */
export const apiOver = (
  sdk: Sdk,
  send: Send,
  {
    clock,
    random,
    retries = usualRetries,
    keys = async () => ({ accessKeyId: ACCESS_KEY.id, accessKeySecret: ACCESS_KEY.secret }),
  }: {
    readonly clock: Clock
    readonly random: Random
    readonly retries?: RetryPolicy
    /** The access keys. The default is the keys of the fake account. */
    readonly keys?: () => Promise<AccessKeys>
  },
): AlibabaApi => httpApi({ sdk, send, endpoints, clock, random, retries, keys })

/** A fake account, and the provider's client for it. The vendor's SDK encodes and signs all calls. */
export interface FakeApi {
  readonly account: FakeAccount
  readonly cloud: FakeAlibaba
  readonly api: AlibabaApi
}

export const fakeApi = async (
  clock: VirtualClock,
  options: FakeAccountOptions & { readonly retries?: RetryPolicy; readonly keys?: () => Promise<AccessKeys> } = {},
): Promise<FakeApi> => {
  const account = new FakeAccount(clock, options)
  const cloud = new FakeAlibaba(account)
  const random = new SeededRandom('calls')
  const { retries = noRetries, keys } = options
  const api = apiOver(await loadSdk(), cloud.send, { clock, random, retries, ...(keys === undefined ? {} : { keys }) })
  return { account, cloud, api }
}
