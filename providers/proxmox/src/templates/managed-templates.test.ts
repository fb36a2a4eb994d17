import { findCondition, groupVersion } from '@kerf/apis'
import { create } from '@kerf/provider-contract/conformance'
import { afterEach, expect, test } from 'vitest'
import { type ProxmoxTemplate, type ProxmoxTemplateSpec, proxmoxTemplateKind } from '../node-class/proxmox-template.ts'
import { createProxmoxHarness, type ProxmoxHarness } from '../testing/proxmox-harness.ts'

const MINUTE = 60_000
const started: ProxmoxHarness[] = []
afterEach(() => {
  for (const harness of started.splice(0)) harness.stop()
})

const TYPE = 'ProxmoxVirtualMachineTemplateReady'
const URL_1 = 'https://factory.example.com/talos-1.raw'

const spec: ProxmoxTemplateSpec = {
  ...{ sourceImage: { url: URL_1 }, storageIDs: ['local', 'local-lvm'], machine: 'q35', bios: 'ovmf' },
  ...{ network: [{ bridge: 'vmbr0', mtu: 1500, vlan: 7 }], cpu: { type: 'host', flags: ['+aes', '-pcid'] } },
  ...{ vga: { type: 'serial0', memory: 16 }, agent: { enabled: true, type: 'virtio' }, tpm: { version: 'v2.0' } },
  ...{ tags: ['b', 'a'], onBoot: true, pciDevices: [{ mapping: 'gpu', pcie: true }] },
}

const harnessWith = async (change: Partial<ProxmoxTemplateSpec> = {}) => {
  const harness = await createProxmoxHarness({
    times: { clone: 10_000 },
    spec: { instanceTemplateRef: { kind: 'ProxmoxTemplate', name: 'made' } },
  })
  started.push(harness)
  const { client, clock, home } = harness
  await client.create(proxmoxTemplateKind, {
    ...{ apiVersion: groupVersion(proxmoxTemplateKind), kind: 'ProxmoxTemplate' },
    ...{ metadata: { name: 'made' }, spec: { ...spec, ...change } },
  } as ProxmoxTemplate)
  const get = () => client.get(proxmoxTemplateKind, { name: 'made' })
  return {
    ...{ harness, client, clock, home, get },
    templates: (fake = home) => [...fake.cluster.guests.values()].filter(({ config }) => config['name'] === 'made'),
    images: () => [...home.cluster.volumesOn('pve-1', 'local')],
    condition: async () => {
      const { status, reason, message } = findCondition(await get(), TYPE) ?? {}
      return `${status} ${reason}: ${message}`
    },
    edit: async (next: Partial<ProxmoxTemplateSpec>, passes = 2 * MINUTE) => {
      await client.patch(proxmoxTemplateKind, { name: 'made' }, { type: 'merge', body: { spec: next } })
      await clock.advance(passes)
    },
  }
}

test('a template is created on each hypervisor with the storages, and guests are cloned from it', async () => {
  const { harness, clock, get, templates, condition } = await harnessWith()
  await clock.advance(3_000)
  expect(await condition()).toContain('False TemplatePending: home/pve-1: waiting for the download')
  await clock.advance(2 * MINUTE)
  const { status } = await get()
  expect(status).toMatchObject({
    imageID: expect.stringMatching(/^talos-1-\d+\.raw$/),
    zones: ['home/pve-1/1000', 'home/pve-2/1001', 'lab/pve-3/1000'],
  })
  expect(templates().map(({ config }) => config)).toMatchObject([
    {
      ...{ template: 1, machine: 'q35', bios: 'ovmf', vga: 'type=serial0,memory=16', serial0: 'socket', tags: 'a;b' },
      ...{ cpu: 'cputype=host,flags=+aes;-pcid', agent: 'enabled=1,type=virtio', hostpci0: 'mapping=gpu,pcie=1' },
      ...{ ipconfig0: 'ip=dhcp,ip6=auto', net0: expect.stringMatching(/^virtio=\S+,bridge=vmbr0,mtu=1500,tag=7$/) },
      ...{ description: expect.stringMatching(/do not delete it\. Hash: \d+\ncluster=demo$/) },
      ...{ scsi0: expect.stringContaining('local-lvm:base-1000-disk-0'), onboot: '1' },
    },
    { template: 1 },
  ])
  const view = await create({ ...harness, provider: harness.provider } as never, await harness.claim('a'))
  expect(view.imageID).toBe(/Hash: (\d+)/.exec(String(templates()[0]?.config['description']))?.[1])
})

test('an edit updates existing templates, except for fields that need a new disk', async () => {
  const { clock, get, templates, edit, images } = await harnessWith()
  await clock.advance(2 * MINUTE)
  const ids = (await get()).status?.zones
  await edit({ agent: { enabled: false }, tags: [], pciDevices: [], vga: { type: 'std' }, onBoot: false })
  const [{ config } = { config: {} }] = templates()
  expect(config).toMatchObject({ agent: 'enabled=0,type=virtio', vga: 'type=std,memory=16', onboot: '0' })
  expect(['tags', 'hostpci0', 'serial0'].filter((option) => option in config)).toEqual([])
  expect((await get()).status?.zones).toEqual(ids)
  const [before = ''] = images()
  await edit({ sourceImage: { url: 'https://factory.example.com/talos-2.raw' } }, 4 * MINUTE)
  expect(images()).toEqual([expect.stringMatching(/^local:import\/talos-2-\d+\.raw$/)])
  expect(images()).not.toContain(before)
  expect((await get()).status?.zones).toHaveLength(3)
  expect(new Set(templates().map((each) => each.config['description'])).size).toBe(1)
})

test('the deletion of an object also deletes its templates and its image', async () => {
  const { client, clock, templates, images } = await harnessWith()
  await clock.advance(2 * MINUTE)
  expect(images()).toHaveLength(1)
  await client.delete(proxmoxTemplateKind, { name: 'made' })
  await clock.advance(5 * MINUTE)
  expect([templates(), images()]).toEqual([[], []])
  expect((await client.list(proxmoxTemplateKind)).items).toEqual([])
})

test('another owner’s guest with the same name stays, and the condition states what to do', async () => {
  const { clock, home, condition } = await harnessWith({ region: 'home' })
  for (const [index, node] of ['pve-1', 'pve-2'].entries())
    home.cluster.put({ vmid: 300 + index, node, config: { name: 'made', template: 1, description: 'mine' } })
  await clock.advance(2 * MINUTE)
  expect(await condition()).toMatch(
    /^False TemplateFailed: home\/pve-1: guest 300 has the name made and Kerf did not create it; rename/,
  )
  expect(home.cluster.guests.get(300)).toBeDefined()
})

test('a failed download is reported and retried', async () => {
  const { clock, home, condition, get } = await harnessWith({ region: 'home' })
  home.cluster.brokenUrls.add(URL_1)
  await clock.advance(MINUTE)
  expect(await condition()).toContain('home/pve-1: the download failed: download failed: 404 Not Found')
  home.cluster.brokenUrls.clear()
  await clock.advance(4 * MINUTE)
  expect((await get()).status?.zones).toHaveLength(2)
})

test('a missing privilege that only templates need is reported', async () => {
  const { clock, home, condition } = await harnessWith({ region: 'home' })
  home.privileges = new Map([...home.privileges, ['/storage', ['Datastore.Audit', 'Datastore.AllocateSpace']]])
  await clock.advance(MINUTE)
  expect(await condition()).toMatch(/Datastore\.AllocateTemplate.*on \/storage\/local/)
})

test.each<readonly [string, Partial<ProxmoxTemplateSpec>, string]>([
  ['another ending', { sourceImage: { url: 'https://a.example.com/x.img' } }, 'must end with .qcow2, .raw or .vmdk'],
  [
    'half a checksum',
    { sourceImage: { url: URL_1, checksum: 'a'.repeat(32) } },
    'checksum and checksumType need each other',
  ],
  ['a wrong interface', { network: [{ bridge: 'vmbr0', name: 'eth0' }] }, '"eth0" must be one of net0 to net31'],
  [
    'one interface twice',
    {
      network: [
        { bridge: 'vmbr0', name: 'net1' },
        { bridge: 'vmbr1', name: 'net1' },
      ],
    },
    'two interfaces are net1',
  ],
  ['a lone gateway', { network: [{ bridge: 'vmbr0', gateway4: '10.0.0.1' }] }, 'gateway4 needs an address4'],
  ['a wrong flag', { cpu: { flags: ['aes'] } }, '"aes" must begin with + or -'],
  ['the wrong machine', { machine: 'pc' }, 'pcie needs spec.machine q35'],
  ['an unknown region', { region: 'moon' }, 'CLOUD_CONFIG has no Proxmox cluster moon'],
  ['an unknown storage', { region: 'home', storageIDs: ['nfs'] }, '(nfs) has the content type import; turn it on'],
])('%s is refused before any call', async (_what, change, problem) => {
  const { clock, condition, templates } = await harnessWith(change)
  await clock.advance(10_000)
  expect(await condition()).toMatch(/^False (?:TemplateInvalid|TemplateFailed): /)
  expect(await condition()).toContain(problem)
  expect(templates()).toEqual([])
})
