import type { ProviderContext } from '@kerf/provider-contract'
import { coreSettings, parseSettings, SeededRandom, SharedInformers, SystemClock, silentLogger } from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { createOci } from '../src/create-oci.ts'
import { freeformTagKeys } from '../src/instances/tags.ts'
import { ociSettings } from '../src/settings/oci-settings.ts'
import { FakeAccount } from '../src/testing/fake-oci/fake-account.ts'
import { FakeOci } from '../src/testing/fake-oci/fake-oci.ts'
import { serveOci } from '../src/testing/fake-oci/loopback.ts'
import { ociEnv } from '../src/testing/fake-oci/oci-env.ts'

const never = new AbortController().signal
const clock = new SystemClock()

const context = (): ProviderContext => {
  const random = new SeededRandom(1)
  const client = new SandboxApi({ clock, random }).client()
  const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
  return { client, informers, clock, random, events: new RecordingEventRecorder(), log: silentLogger }
}

const connection = {
  ...{ server: 'https://10.0.0.10:6443', tls: { ca: 'CA' }, origin: 'a test' },
  credentials: { kind: 'none' },
} as unknown as Parameters<typeof createOci>[2]['connection']

const create = (env: Readonly<Record<string, string>>) =>
  createOci(parseSettings({ ...coreSettings, ...ociSettings }, env).settings, context(), {
    ...{ env, version: '1.2.3', connection },
  })

/** Returns the settings for a served fake. The key file is removed when the test ends. */
const complete = (url = ''): Readonly<Record<string, string>> => {
  const { env, close } = ociEnv(url)
  onTestFinished(close)
  return env
}

test('the provider reaches Oracle Cloud over real connections, with the key from the file', async () => {
  const fake = new FakeOci(new FakeAccount(clock))
  const freeformTags = { [freeformTagKeys.cluster]: 'demo', [freeformTagKeys.nodePool]: 'default' }
  const { id } = fake.account.put({ freeformTags }, 60_000)
  const served = await serveOci(fake)
  onTestFinished(() => served.close())
  const { provider } = await create({ ...complete(served.url), REPAIR_POLICIES: '[]' })
  expect(provider.repairPolicies).toEqual([])
  expect((await provider.list(never)).map(({ providerID }) => providerID)).toEqual([id])
  expect(fake.problems).toEqual([])
})

test.each([
  ['the OCID of a compartment is required', { COMPARTMENT_ID: '' }],
  ['the address of the API server is required', { CLUSTER_ENDPOINT: '' }],
  ['the endpoint nowhere is not a valid URL', { OCI_ENDPOINT: 'nowhere' }],
  ['CONFIG_YAML_FILENAME: /nowhere/config.yaml cannot be read', { CONFIG_YAML_FILENAME: '/nowhere/config.yaml' }],
])('%s', async (problem, changes) => {
  await expect(create({ ...complete(), ...changes })).rejects.toThrow(problem)
})
