import type { ProviderContext } from '@kerf/provider-contract'
import { coreSettings, parseSettings, SeededRandom, SharedInformers, silentLogger, VirtualClock } from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { bizflySettings } from '../src/bizfly-settings.ts'
import { createBizfly } from '../src/create-bizfly.ts'
import { METADATA, providerId } from '../src/names.ts'
import { fakeApi } from '../src/testing/fake-api.ts'
import { bizflyEnv, serveBizfly } from '../src/testing/fake-bizfly/loopback.ts'
import { CLUSTER } from '../src/testing/fake-bizfly/names.ts'

const never = new AbortController().signal

const context = (clock: VirtualClock): ProviderContext => {
  const random = new SeededRandom(1)
  const client = new SandboxApi({ clock, random }).client()
  const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
  return { client, informers, clock, random, events: new RecordingEventRecorder(), log: silentLogger }
}

const create = (env: Readonly<Record<string, string>>) =>
  createBizfly(parseSettings({ ...coreSettings, ...bizflySettings }, env).settings, context(new VirtualClock()), {
    env,
    version: '1.2.3',
  })

test('the provider reaches Bizfly Cloud over real connections, with the credentials from the environment', async () => {
  const { account, cloud } = fakeApi(new VirtualClock())
  const metadata = { [METADATA.managed]: 'true', [METADATA.cluster]: CLUSTER }
  const { id } = account.put({ metadata }, 60_000)
  const served = await serveBizfly(cloud)
  onTestFinished(() => served.close())
  // The vendor's client also accepts the URL with this path.
  const { provider } = await create({ ...bizflyEnv(served), BIZFLY_CLOUD_API_URL: `${served.url}/api/` })
  expect((await provider.list(never)).map(({ providerID }) => providerID)).toEqual([providerId(id)])
  expect(cloud.problems).toEqual([])
})

const complete = bizflyEnv({ url: 'https://bizfly.test' })
const { BIZFLY_CLOUD_PASSWORD: _, ...withoutPassword } = complete

test.each([
  ['BIZFLY_CLOUD_PASSWORD is not set', withoutPassword],
  ['BKE_CLUSTER_TOKEN is not set', { ...complete, BKE_CLUSTER_TOKEN: '' }],
  ['BIZFLY_CLOUD_APP_CRED_ID is not set', { ...complete, BIZFLY_CLOUD_AUTH_METHOD: 'application_credential' }],
  [
    'BIZFLY_CLOUD_REGION "SG" is not a region; set it to HN, HCM or VC-HaNoi',
    { ...complete, BIZFLY_CLOUD_REGION: 'SG' },
  ],
  ['BIZFLY_CLOUD_API_URL "nowhere" is not a valid URL', { ...complete, BIZFLY_CLOUD_API_URL: 'nowhere' }],
])('%s', async (problem, env) => {
  await expect(create(env)).rejects.toThrow(problem)
})
