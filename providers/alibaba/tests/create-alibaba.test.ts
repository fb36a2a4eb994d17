import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProviderContext } from '@kerf/provider-contract'
import {
  coreSettings,
  PrometheusMetrics,
  parseSettings,
  SeededRandom,
  SharedInformers,
  silentLogger,
  VirtualClock,
} from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { keyChain } from '../src/api/sdk.ts'
import { createAlibaba } from '../src/create-alibaba.ts'
import { clusterTag, providerId, TAG } from '../src/names.ts'
import { alibabaSettings, memoryOverhead } from '../src/settings/alibaba-settings.ts'
import { serveAlibaba } from '../src/testing/fake-alibaba/loopback.ts'
import { ACCESS_KEY, CLUSTER, REGION } from '../src/testing/fake-alibaba/names.ts'
import { fakeApi } from '../src/testing/fake-api.ts'

const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'kerf-alibaba-'))
afterEach(() => void vi.unstubAllEnvs())
afterAll(() => rmSync(folder, { recursive: true }))

const contextOf = (clock: VirtualClock): ProviderContext => {
  const random = new SeededRandom(1)
  const client = new SandboxApi({ clock, random }).client()
  const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
  return { client, informers, clock, random, events: new RecordingEventRecorder(), log: silentLogger }
}

const create = (env: Readonly<Record<string, string>>) =>
  createAlibaba(parseSettings({ ...coreSettings, ...alibabaSettings }, env).settings, contextOf(new VirtualClock()), {
    metrics: new PrometheusMetrics(),
    env,
    version: '1.2.3',
    namespace: 'kube-system',
  })

test('the provider reaches Alibaba Cloud over real connections, with keys from the environment', async () => {
  vi.stubEnv('ALIBABA_CLOUD_ACCESS_KEY_ID', ACCESS_KEY.id)
  vi.stubEnv('ALIBABA_CLOUD_ACCESS_KEY_SECRET', ACCESS_KEY.secret)
  const { account, cloud } = await fakeApi(new VirtualClock())
  const tags = { [clusterTag(CLUSTER)]: 'owned', [TAG.clusterId]: CLUSTER, [TAG.nodePool]: 'default' }
  const { id } = account.put({ tags }, 60_000)
  const served = await serveAlibaba(cloud)
  try {
    const endpoint = `http://${served.host}`
    const { provider } = await create({ CLUSTER_ID: CLUSTER, REGION_ID: REGION, ALIBABA_ENDPOINT_URL: endpoint })
    expect((await provider.list(never)).map(({ providerID }) => providerID)).toEqual([providerId(REGION, id)])
    expect(cloud.problems).toEqual([])
  } finally {
    await served.close()
  }
})

test('without a cluster, with a wrong region or endpoint or an unreadable price file, the error states what to set', async () => {
  await expect(create({ REGION_ID: REGION })).rejects.toThrow('CLUSTER_ID is not set')
  const cluster = { CLUSTER_ID: CLUSTER, REGION_ID: REGION }
  await expect(create({ ...cluster, REGION_ID: 'China (Hangzhou)' })).rejects.toThrow('is not the ID of a region')
  await expect(create({ ...cluster, ALIBABA_ENDPOINT_URL: 'nowhere' })).rejects.toThrow('nowhere is not a valid URL')
  const file = join(folder, 'prices.json')
  writeFileSync(file, '{"kind": "ECSPrices", "cnyPerUsd": 0}')
  await expect(create({ ...cluster, ALIBABA_PRICE_FILE: file })).rejects.toThrow('cnyPerUsd must be a number above 0')
  expect(() => parseSettings(alibabaSettings, { ALIBABA_CNY_PER_USD: '0' })).toThrow('not a number above 0')
})

test('the hypervisor’s share of the memory has its own default, and a value that the user sets takes precedence', () => {
  const of = (env: Readonly<Record<string, string>>) => memoryOverhead(parseSettings(alibabaSettings, env).settings)
  expect(of({})).toBe(0.065)
  expect(of({ VM_MEMORY_OVERHEAD_PERCENT: '0.1' })).toBe(0.1)
  expect(of({ VM_MEMORY_OVERHEAD_PERCENT: '0.075' })).toBe(0.075)
})

test('keys come from the vendor’s chain: new keys apply at once, and a failed source is tried again', async () => {
  // The test uses neither an instance's metadata service nor files of the user.
  vi.stubEnv('ALIBABA_CLOUD_ECS_METADATA_DISABLED', 'true')
  vi.stubEnv('HOME', '/nonexistent')
  for (const name of Object.keys(process.env))
    if (/^ALIBABA_CLOUD_(?:ACCESS|SECURITY)/.test(name)) vi.stubEnv(name, undefined)
  const keys = await keyChain()
  await expect(keys()).rejects.toThrow('unable to get credentials from any of the providers in the chain')
  vi.stubEnv('ALIBABA_CLOUD_ACCESS_KEY_ID', 'first')
  vi.stubEnv('ALIBABA_CLOUD_ACCESS_KEY_SECRET', 'secret')
  expect(await keys()).toMatchObject({ accessKeyId: 'first', accessKeySecret: 'secret' })
  vi.stubEnv('ALIBABA_CLOUD_ACCESS_KEY_ID', 'second')
  vi.stubEnv('ALIBABA_CLOUD_SECURITY_TOKEN', 'token')
  expect(await keys()).toMatchObject({ accessKeyId: 'second', securityToken: 'token' })
})
