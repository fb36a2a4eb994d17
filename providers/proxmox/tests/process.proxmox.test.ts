import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groupVersion } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { providerId } from '@kerf/provider-proxmox'
import {
  proxmoxNodeClassDescriptor,
  proxmoxNodeClassKind,
  unmanagedTemplateKind,
} from '@kerf/provider-proxmox/node-class'
import {
  FAKE_SECRET,
  FAKE_USER,
  FakeCluster,
  FakeProxmox,
  hypervisor,
  registeredNode,
  serveProxmox,
} from '@kerf/provider-proxmox/testing'
import { SystemClock } from '@kerf/runtime'
import { issueCertificate } from '@kerf/runtime/testing'
import { expect, onTestFinished, test } from 'vitest'
import { playProcessStory } from '../../../tests/integration/story/process-story.ts'

const REGION = 'home'
const GIB = 1024 ** 3
const TIMES = { clone: 2_000, start: 500, stop: 500, destroy: 500, statistics: 1_000 }

describeWithCustomResources('kerf run --provider=proxmox', (shared) => {
  test('ten pods get guests, and nothing remains after the pods are deleted', async () => {
    const nodes = ['pve-1', 'pve-2'].map((name) => hypervisor(name, { cpus: 16, memory: 64 * GIB }))
    const cluster = new FakeCluster(new SystemClock(), { nodes, times: TIMES })
    const authority = issueCertificate('authority')
    const served = await serveProxmox(new FakeProxmox(cluster), authority)
    onTestFinished(() => served.close())
    const folder = mkdtempSync(join(tmpdir(), 'kerf-proxmox-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'authority.pem'), authority.cert)
    const access = { url: served.url, region: REGION, token_id: FAKE_USER, token_secret: FAKE_SECRET }
    const CLOUD_CONFIG = join(folder, 'config.yaml')
    writeFileSync(CLOUD_CONFIG, JSON.stringify({ clusters: [{ ...access, ca_file: 'authority.pem' }] }))
    const guests = () => cluster.instances()
    const output = await playProcessStory(shared(), {
      ...{ provider: 'proxmox', env: { CLUSTER_NAME: 'demo', CLOUD_CONFIG } },
      classKinds: [proxmoxNodeClassKind, unmanagedTemplateKind],
      createClasses: async (client) => {
        await client.create(unmanagedTemplateKind, {
          ...{ apiVersion: groupVersion(unmanagedTemplateKind), kind: 'ProxmoxUnmanagedTemplate' },
          ...{ metadata: { name: 'default' }, spec: { templateName: 'talos' } },
        })
        await client.create(proxmoxNodeClassKind, proxmoxNodeClassDescriptor.example)
      },
      nodes: () =>
        guests()
          .filter(({ isEnding, status }) => !isEnding && status === 'running')
          .map((guest) => registeredNode(REGION, guest)),
      instances: () => guests().length,
      check: ({ metadata, status }) => {
        const guest = guests().find(({ vmid }) => status?.providerID === providerId({ region: REGION, vmid }))
        expect(metadata.labels).toMatchObject({
          'topology.kubernetes.io/region': REGION,
          'topology.kubernetes.io/zone': guest?.node,
        })
        expect(guest?.config['name']).toBe(metadata.name)
        expect(String(guest?.config['description'])).toContain(metadata.labels?.['node.kubernetes.io/instance-type'])
      },
    })
    expect(output).not.toContain(FAKE_SECRET)
  })
})
