import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProviderContext } from '@kerf/provider-contract'
import { coreSettings, parseSettings, SeededRandom, SharedInformers, SystemClock, silentLogger } from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { createOci } from '../src/create-oci.ts'
import { freeformTagKeys } from '../src/instances/tags.ts'
import { ociSettings } from '../src/settings/oci-settings.ts'
import { FakeAccount } from '../src/testing/fake-oci/fake-account.ts'
import { FakeOci, fakeKey } from '../src/testing/fake-oci/fake-oci.ts'
import { serveOci } from '../src/testing/fake-oci/loopback.ts'
import { COMPARTMENT, REGION } from '../src/testing/fake-oci/names.ts'

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

/** Writes the fake user's key to a file in the community provider's format, and returns its path. */
const keyFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'oci-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'config.yaml')
  const { tenancy, user, fingerprint, privateKey } = fakeKey
  writeFileSync(file, JSON.stringify({ auth: { region: REGION, tenancy, user, fingerprint, key: privateKey } }))
  return file
}

const complete = {
  CLUSTER_NAME: 'demo',
  CLUSTER_ENDPOINT: 'https://10.0.0.10:6443',
  COMPARTMENT_ID: COMPARTMENT,
  OCI_AUTH_METHODS: 'API_KEY',
  USE_LOCAL_PRICE_LIST: 'true',
} as const

test('the provider reaches Oracle Cloud over real connections, with the key from the file', async () => {
  const fake = new FakeOci(new FakeAccount(clock))
  const freeformTags = { [freeformTagKeys.cluster]: 'demo', [freeformTagKeys.nodePool]: 'default' }
  const { id } = fake.account.put({ freeformTags }, 60_000)
  const served = await serveOci(fake)
  onTestFinished(() => served.close())
  const { provider } = await create({ ...complete, CONFIG_YAML_FILENAME: keyFile(), OCI_ENDPOINT: served.url })
  expect((await provider.list(never)).map(({ providerID }) => providerID)).toEqual([id])
  expect(fake.problems).toEqual([])
})

test.each([
  ['the OCID of a compartment is required', { COMPARTMENT_ID: '' }],
  ['the address of the API server is required', { CLUSTER_ENDPOINT: '' }],
  ['the endpoint nowhere is not a valid URL', { OCI_ENDPOINT: 'nowhere' }],
  ['CONFIG_YAML_FILENAME: /nowhere/config.yaml cannot be read', { CONFIG_YAML_FILENAME: '/nowhere/config.yaml' }],
])('%s', async (problem, changes) => {
  await expect(create({ ...complete, CONFIG_YAML_FILENAME: keyFile(), ...changes })).rejects.toThrow(problem)
})
