import { type RetryPolicy, usualRetries } from '@kerf/provider-kit'
import { type Logger, SeededRandom, silentLogger, type VirtualClock } from '@kerf/runtime'
import { httpApi } from '../../api/http-api.ts'
import type { OciApi } from '../../api/oci-api.ts'
import { FakeAccount, type FakeAccountOptions } from './fake-account.ts'
import { FakeOci, fakeKey } from './fake-oci.ts'
import { REGION } from './names.ts'

/** The client does not retry, so that virtual time need not advance. */
const noRetries: RetryPolicy = { ...usualRetries, attempts: 1 }

/** A fake tenancy, and the calls to it as the provider makes them: composed and signed by Oracle's SDK. */
export interface FakeApi {
  readonly account: FakeAccount
  readonly cloud: FakeOci
  readonly api: OciApi
}

export const fakeApi = (
  clock: VirtualClock,
  options: FakeAccountOptions & { readonly retries?: RetryPolicy; readonly log?: Logger } = {},
): FakeApi => {
  const account = new FakeAccount(clock, options)
  const cloud = new FakeOci(account)
  const api = httpApi({
    ...{
      region: REGION,
      auth: { kind: 'api-key', key: fakeKey },
      send: cloud.send,
      clock,
      log: options.log ?? silentLogger,
    },
    ...{ random: new SeededRandom('calls'), retries: options.retries ?? noRetries },
  })
  return { account, cloud, api }
}
