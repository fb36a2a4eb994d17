import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDescription } from '@kerf/provider-proxmox'
import { FAKE_SECRET, FAKE_USER, FakeCluster, FakeProxmox, serveProxmox } from '@kerf/provider-proxmox/testing'
import { coreSettings, parseSettings, SeededRandom, SharedInformers, silentLogger, VirtualClock } from '@kerf/runtime'
import { issueCertificate, RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createProxmox } from '../src/create-proxmox.ts'
import { proxmoxSettings } from '../src/settings/proxmox-settings.ts'

const never = new AbortController().signal
const authority = issueCertificate('authority')
const folder = mkdtempSync(join(tmpdir(), 'kerf-proxmox-'))
afterAll(() => rmSync(folder, { recursive: true }))

const create = (env: Readonly<Record<string, string>>) => {
  const clock = new VirtualClock()
  const random = new SeededRandom(1)
  const client = new SandboxApi({ clock, random }).client()
  const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
  const { settings } = parseSettings({ ...coreSettings, ...proxmoxSettings }, env)
  const context = { client, informers, clock, random, events: new RecordingEventRecorder(), log: silentLogger }
  return createProxmox(settings, context, { env, version: '1.2.3' })
}

const fileWith = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const served = async () => {
  const fake = new FakeProxmox(new FakeCluster(new VirtualClock()))
  const server = await serveProxmox(fake, authority)
  onTestFinished(() => server.close())
  return { fake, url: server.url }
}

const config = (url: string, more: object = {}): string =>
  fileWith(
    'config.yaml',
    JSON.stringify({ clusters: [{ url, region: 'home', token_id: FAKE_USER, token_secret: FAKE_SECRET, ...more }] }),
  )

test('the provider reaches Proxmox over real connections, with a private authority and a token', async () => {
  const { fake, url } = await served()
  const description = formatDescription({
    ...{ cluster: 'demo', nodeClass: 'default', nodePool: 'default', nodeClaim: 'a', nodeClaimUid: 'u-1' },
    ...{ instanceType: 's1.2VCPU-8GB', capacityType: 'on-demand', cpus: 2, memoryMiB: 8_192, imageId: '1-1' },
    createdAt: '2026-01-01T00:00:00Z',
  })
  fake.cluster.put({ vmid: 20_000, node: 'pve-1', config: { name: 'a', description }, status: 'running' })
  fileWith('authorities.pem', authority.cert)
  // This path is relative to the folder of CLOUD_CONFIG.
  const CLOUD_CONFIG = config(url, { ca_file: 'authorities.pem' })
  const { provider } = await create({ CLUSTER_NAME: 'demo', CLOUD_CONFIG })
  expect((await provider.list(never)).map(({ providerID }) => providerID)).toEqual(['proxmox://home/20000'])
})

test('a self-signed certificate is refused, unless the configuration accepts any', async () => {
  const { url } = await served()
  const { provider } = await create({ CLUSTER_NAME: 'demo', CLOUD_CONFIG: config(url) })
  await expect(provider.list(never)).rejects.toThrow(/self-signed certificate/)
  const insecure = await create({ CLUSTER_NAME: 'demo', CLOUD_CONFIG: config(url, { insecure: true }) })
  expect(await insecure.provider.list(never)).toEqual([])
})

test.each<readonly [string, () => Readonly<Record<string, string>>]>([
  ['CLUSTER_NAME is not set', () => ({})],
  ['CLOUD_CONFIG is not set', () => ({ CLUSTER_NAME: 'demo' })],
  ['cannot be read', () => ({ CLUSTER_NAME: 'demo', CLOUD_CONFIG: join(folder, 'none') })],
  ['has no clusters', () => ({ CLUSTER_NAME: 'demo', CLOUD_CONFIG: fileWith('empty.yaml', '{}') })],
  [
    'INSTANCE_TYPES_FILE',
    () => ({
      ...{ CLUSTER_NAME: 'demo', CLOUD_CONFIG: config('https://pve.test:8006/api2/json') },
      INSTANCE_TYPES_FILE: fileWith('types.json', '[]'),
    }),
  ],
  [
    'NODE_SETTING_FILE',
    () => ({
      ...{ CLUSTER_NAME: 'demo', CLOUD_CONFIG: config('https://pve.test:8006/api2/json') },
      NODE_SETTING_FILE: fileWith('nodes.json', '[]'),
    }),
  ],
  [
    'NODE_POLICY static needs the username root@pam and its password for the region home',
    () => ({
      ...{ CLUSTER_NAME: 'demo', CLOUD_CONFIG: config('https://pve.test:8006/api2/json'), NODE_POLICY: 'static' },
    }),
  ],
  [
    'NODE_POLICY static needs the username root@pam',
    () => {
      const other = { url: 'https://pve.test:8006/api2/json', region: 'home', username: 'kerf@pve', password: 'x' }
      const CLOUD_CONFIG = fileWith('other.yaml', JSON.stringify({ clusters: [other] }))
      return { CLUSTER_NAME: 'demo', CLOUD_CONFIG, NODE_POLICY: 'static' }
    },
  ],
])('%s', async (problem, env) => {
  await expect(create(env())).rejects.toThrow(problem)
})
