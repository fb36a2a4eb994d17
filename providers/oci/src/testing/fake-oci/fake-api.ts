import { type RetryPolicy, type Send, usualRetries } from '@kerf/provider-kit'
import { type Clock, type Logger, SeededRandom, silentLogger, type VirtualClock } from '@kerf/runtime'
import { httpApi } from '../../api/http-api.ts'
import type { OciApi } from '../../api/oci-api.ts'
import { FakeAccount, type FakeAccountOptions } from './fake-account.ts'
import { FakeOci, fakeKey } from './fake-oci.ts'
import { REGION } from './names.ts'

/** A retry policy that never retries, so that tests need not advance virtual time. */
const noRetries: RetryPolicy = { ...usualRetries, attempts: 1 }

/** A fake tenancy, and the provider's client for it. Oracle's SDK composes and signs the requests. */
export interface FakeApi {
  readonly account: FakeAccount
  readonly cloud: FakeOci
  readonly api: OciApi
}

/** Returns a client for one process, whose requests `send` passes to the fake. The SDK composes and signs them. */
export const apiOver = (
  send: Send,
  clock: Clock,
  { retries = noRetries, log = silentLogger }: { readonly retries?: RetryPolicy; readonly log?: Logger } = {},
): OciApi =>
  httpApi({
    ...{ region: REGION, auth: { kind: 'api-key', key: fakeKey }, send, clock, log, retries },
    random: new SeededRandom('calls'),
  })

export const fakeApi = (
  clock: VirtualClock,
  options: FakeAccountOptions & { readonly retries?: RetryPolicy; readonly log?: Logger } = {},
): FakeApi => {
  const account = new FakeAccount(clock, options)
  const cloud = new FakeOci(account)
  const api = apiOver(cloud.send, clock, options)
  return { account, cloud, api }
}
