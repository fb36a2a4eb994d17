import { findCondition, karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import {
  DeleteError,
  findError,
  type InstanceView,
  isInsufficientCapacity,
  isNodeClaimNotFound,
} from '@kerf/provider-contract'
import { create, createWith } from '@kerf/provider-contract/conformance'
import { afterEach, expect, test } from 'vitest'
import { formatDescription } from './guests/guest-description.ts'
import { parseProviderId } from './names.ts'
import { proxmoxNodeClassKind } from './node-class/proxmox-node-class.ts'
import { unmanagedTemplateKind } from './node-class/unmanaged-template.ts'
import type { ProxmoxProvider } from './proxmox-provider.ts'
import { cloudFaults } from './testing/cloud-faults.ts'
import type { FakeFault, FakeProxmox } from './testing/fake-proxmox/fake-proxmox.ts'
import { diskStorageOn, GIB } from './testing/fake-proxmox/fake-state.ts'
import {
  createProxmoxHarness,
  FIRST_ID,
  newFakes,
  type ProxmoxHarness,
  type ProxmoxHarnessOptions,
} from './testing/proxmox-harness.ts'

// More than 400 lines, because all tests share the helpers that launch on one simulated Proxmox cluster.

const never = new AbortController().signal
const MINUTE = 60_000
const started: ProxmoxHarness[] = []

afterEach(() => {
  for (const harness of started.splice(0)) harness.stop()
})

const harnessWith = async (options: ProxmoxHarnessOptions = {}): Promise<ProxmoxHarness> => {
  const harness = await createProxmoxHarness(options)
  started.push(harness)
  return harness
}

/** Launches a claim with the conformance suite's helper, which needs only the harness and its provider. */
const launch = (harness: ProxmoxHarness, claim: NodeClaim): Promise<InstanceView> =>
  create({ ...harness, provider: harness.provider } as never, claim)

const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

const inZone = (zone: string) => ({ requirements: [{ key: labels.zone, operator: 'In' as const, values: [zone] }] })
const zoneOf = (view: InstanceView): string => view.labels[labels.zone] ?? ''
const withProviderId = async (harness: ProxmoxHarness, claim: NodeClaim, { providerID }: InstanceView) =>
  harness.client.patch(
    karpenterKinds.NodeClaim,
    { name: claim.metadata.name },
    { type: 'merge', body: { status: { providerID } } },
    { subresource: 'status' },
  )

/** Removes a privilege from the token. */
const revoke = (fake: FakeProxmox, path: string, privilege: string): void => {
  const left = (fake.privileges.get(path) ?? []).filter((each) => each !== privilege)
  fake.privileges = new Map([...fake.privileges, [path, left]])
}

/** Launches claims at the same time, each with its own provider. Each process has its own object for the same claim. */
const launchWith = (
  { clock }: ProxmoxHarness,
  launches: readonly (readonly [ProxmoxProvider, NodeClaim])[],
): Promise<readonly InstanceView[]> =>
  createWith(
    clock,
    launches.map(([provider, claim]) => [provider, structuredClone(claim)]),
  )

test('two controllers with the same range of IDs never use the same guest', async () => {
  const fakes = newFakes()
  const [one, two] = [await harnessWith({ fakes, cluster: 'one' }), await harnessWith({ fakes, cluster: 'two' })]
  const names = Array.from({ length: 6 }, (_, index) => `claim-${index}`)
  const launches = [one, two].flatMap((harness) =>
    names.map(async (name) => [harness.provider, await harness.claim(name, inZone('pve-1'))] as const),
  )
  const views = await launchWith(one, await Promise.all(launches))
  expect(new Set(views.map(({ providerID }) => providerID)).size).toBe(12)
  for (const harness of [one, two])
    expect((await harness.provider.list(never)).map(({ nodeClaimName }) => nodeClaimName).toSorted()).toEqual(names)
})

test.each([0, 10])(
  'two processes that launch the same claim %i minutes after their start launch one guest',
  async (age) => {
    const harness = await harnessWith({ times: { clone: 2_000 } })
    const processes = [harness.provider, harness.newProvider()]
    const launchTwice = async (name: string) => {
      const claim = await harness.claim(name)
      return launchWith(
        harness,
        processes.map((provider) => [provider, claim]),
      )
    }
    await launchTwice('first')
    await harness.clock.advance(age * MINUTE)
    const views = await launchTwice('a')
    const guests = [...harness.proxmox.values()].flatMap(({ cluster }) => cluster.instances())
    expect(new Set(views.map(({ providerID }) => providerID)).size).toBe(1)
    expect(guests.map(({ config }) => config['name']).toSorted()).toEqual(['a', 'first'])
  },
)

test('a claim that fits only on a hypervisor with an unidentified clone waits for the clone', async () => {
  const harness = await harnessWith({ times: { clone: MINUTE } })
  const other = harness.newProvider()
  // The second process starts before the claims, so it does not search for guests of an earlier process.
  await other.create(await harness.claim('early', inZone('pve-2')), never).catch(() => undefined)
  await harness.clock.advance(10 * MINUTE)
  const claim = await harness.claim('a', inZone('pve-1'))
  expect(String(await failureOf(harness.provider.create(claim, never)))).toContain('Proxmox prepares guest')
  expect(await failureOf(other.create(claim, never))).toMatchObject({ name: 'LaunchPendingError' })
})

test('two node classes share one range of IDs, and their guests never get the same ID', async () => {
  const harness = await harnessWith({ times: { clone: 2_000 } })
  const { metadata: _, ...nodeClass } = await harness.nodeClass()
  await harness.client.create(proxmoxNodeClassKind, { ...nodeClass, metadata: { name: 'other' } })
  await harness.clock.advance(2_000)
  const { metadata, spec, ...claim } = await harness.claim('a', inZone('pve-1'))
  const nodeClassRef = { ...spec.nodeClassRef, name: 'other' }
  const other = await harness.client.create(karpenterKinds.NodeClaim, {
    ...claim,
    metadata: { name: 'b', ...(metadata.labels === undefined ? {} : { labels: metadata.labels }) },
    spec: { ...spec, nodeClassRef },
  })
  const views = await launchWith(harness, [
    [harness.provider, { ...claim, metadata, spec }],
    [harness.provider, other],
  ])
  expect(views.map(({ providerID }) => providerID)).toEqual(['proxmox://home/20000', 'proxmox://home/20001'])
})

test('if another controller takes an ID while the task starts, it keeps the ID', async () => {
  const harness = await harnessWith()
  const { cluster } = harness.home
  cluster.onClone = (vmid) => {
    cluster.onClone = () => undefined
    cluster.put({ vmid, node: 'pve-2', config: { name: 'theirs' }, status: 'running' })
  }
  const view = await launch(harness, await harness.claim('a', inZone('pve-1')))
  expect(parseProviderId(view.providerID)?.vmid).toBe(FIRST_ID + 1)
  expect(view.labels[labels.instanceType]).toBe('spot-c1.1VCPU-2GB')
  expect(cluster.guests.get(FIRST_ID)).toMatchObject({ node: 'pve-2', status: 'running' })
})

test('simultaneous launches spread over hypervisors and never exceed their CPUs', async () => {
  const harness = await harnessWith()
  const launchSix = async (name: string) => {
    const claims = await Promise.all(
      Array.from({ length: 6 }, (_, index) => harness.claim(`${name}-${index}`, { requests: { cpu: '15' } })),
    )
    const zones = Map.groupBy(await Promise.all(claims.map((claim) => launch(harness, claim))), zoneOf)
    return [...zones.values()].map(({ length }) => length)
  }
  // Each hypervisor has 64 CPUs. A claim for 15 CPUs gets a type with 16 CPUs.
  expect(await launchSix('first')).toEqual([2, 2, 2])
  expect(await launchSix('second')).toEqual([2, 2, 2])
  const late = await failureOf(launch(harness, await harness.claim('late', { requests: { cpu: '15' } })))
  expect([isInsufficientCapacity(late), String(late)]).toEqual([
    true,
    expect.stringContaining('no hypervisor has room'),
  ])
  const types = await harness.provider.instanceTypes(harness.pool(), never)
  expect(types.flatMap(({ offerings }) => offerings).some(({ available }) => available)).toBe(false)
})

test('a full storage excludes its hypervisor, and a clone that fails for lack of space moves to another one', async () => {
  const harness = await harnessWith()
  const { cluster } = harness.home
  cluster.fill('local-lvm', 'pve-1')
  await harness.clock.advance(10_000)
  const zones = async () =>
    new Set(
      (await harness.provider.instanceTypes(harness.pool(), never))
        .flatMap(({ offerings }) => offerings.filter(({ available }) => available))
        .map(({ requirements }) => requirements.find(({ key }) => key === labels.zone)?.values?.[0]),
    )
  expect(await zones()).toEqual(new Set(['pve-2', 'pve-3']))
  cluster.full = [{ zone: 'pve-2' }]
  const view = await launch(harness, await harness.claim('a', { requests: { cpu: '1' } }))
  expect(zoneOf(view)).toBe('pve-3')
  expect(cluster.instances()).toEqual([])
})

test('a template that is removed while it is cloned makes its offering unavailable and leaves nothing', async () => {
  const harness = await harnessWith({ times: { clone: MINUTE } })
  const claim = await harness.claim('a', inZone('pve-3'))
  const { cluster } = harness.proxmox.get('lab') ?? harness.home
  const pending = await failureOf(harness.provider.create(claim, never))
  expect(String(pending)).toContain('Proxmox prepares guest 20000 on pve-3')
  cluster.guests.delete(9_000)
  await harness.clock.advance(MINUTE)
  const error = await failureOf(harness.provider.create(claim, never))
  expect([isInsufficientCapacity(error), String(error)]).toEqual([
    true,
    expect.stringContaining("volume 'local-lvm:base-9000-disk-0' does not exist"),
  ])
  expect(cluster.instances()).toEqual([])
})

test('instances of a dead hypervisor stay listed, even after a restart, and their deletion error states what to do', async () => {
  const harness = await harnessWith()
  const claim = await harness.claim('a', inZone('pve-1'))
  const view = await launch(harness, claim)
  const stored = await withProviderId(harness, claim, view)
  harness.home.cluster.change('pve-1', { isOnline: false })
  await harness.clock.advance(10_000)
  const fresh = harness.newProvider()
  expect((await fresh.list(never)).map(({ providerID }) => providerID)).toEqual([view.providerID])
  expect((await fresh.get(view.providerID, never)).providerID).toBe(view.providerID)
  const error = findError(await failureOf(fresh.delete(stored, never)), DeleteError)
  expect([error?.reason, error?.conditionMessage]).toEqual([
    'HypervisorUnreachable',
    expect.stringContaining('hypervisor pve-1 does not answer, so guest 20000 cannot be destroyed'),
  ])
  const other = await launch(harness, await harness.claim('b'))
  expect(zoneOf(other)).not.toBe('pve-1')
  harness.home.cluster.change('pve-1', { isOnline: true })
  await harness.clock.advance(10_000)
  await fresh.delete(stored, never)
  await harness.clock.advance(10_000)
  expect(isNodeClaimNotFound(await failureOf(fresh.delete(stored, never)))).toBe(true)
})

test('a hypervisor in maintenance gets no instances', async () => {
  const harness = await harnessWith()
  for (const { cluster } of harness.proxmox.values())
    for (const { name } of cluster.nodes) cluster.change(name, { isInMaintenance: true })
  harness.home.cluster.change('pve-2', { isInMaintenance: false })
  await harness.clock.advance(10_000)
  expect(zoneOf(await launch(harness, await harness.claim('a')))).toBe('pve-2')
  await harness.change({ tags: ['a'] })
  const { status, message } = findCondition(await harness.nodeClass(), 'InstanceTemplateReady') ?? {}
  expect(`${status} ${message}`).toContain('True home/pve-1: the hypervisor is in maintenance and gets no new guests')
})

test('a Proxmox cluster that does not respond does not prevent launches in another one', async () => {
  const harness = await harnessWith()
  harness.home.fail('GET /cluster/resources', cloudFaults.network)
  await harness.clock.advance(10_000)
  const types = await harness.provider.instanceTypes(harness.pool(), never)
  const available = types.flatMap(({ offerings }) => offerings.filter((offering) => offering.available))
  expect(
    new Set(available.map(({ requirements }) => requirements.find(({ key }) => key === labels.zone)?.values?.[0])),
  ).toEqual(new Set(['pve-3']))
  expect((await harness.nodeClass()).status?.selectedZones).toHaveLength(3)
})

test('a token that may not list guests causes an error, not an empty list', async () => {
  const harness = await harnessWith()
  await launch(harness, await harness.claim('a'))
  revoke(harness.home, '/vms', 'VM.Audit')
  const error = await failureOf(harness.newProvider().list(never))
  expect(String(error)).toContain('region home: the token lacks VM.Audit on /vms')
})

test('the condition of a failed launch contains the privilege that the token lacks', async () => {
  const harness = await harnessWith()
  for (const fake of harness.proxmox.values()) revoke(fake, '/vms', 'VM.Clone')
  const error = await failureOf(launch(harness, await harness.claim('a', inZone('pve-1'))))
  expect(String(error)).toContain('the token of the controller lacks VM.Clone on /vms/9000')
})

test('linked clones share the disk of the template, unless the class specifies another storage', async () => {
  const harness = await harnessWith({ prefersLinked: true, times: { clone: MINUTE } })
  // In the fake, copying a disk takes a minute. A linked clone needs no copy.
  const view = await harness.provider.create(await harness.claim('a'), never)
  expect(view.providerID).toMatch(/\/20000$/)
  for (const { cluster } of harness.proxmox.values())
    cluster.storages = [...cluster.storages, ...cluster.nodes.map(({ name }) => diskStorageOn(name, { name: 'ceph' }))]
  await harness.change({ bootDevice: { storage: 'ceph' } })
  expect(String(await failureOf(harness.provider.create(await harness.claim('b'), never)))).toContain(
    'Proxmox prepares',
  )
})

test('a guest has the size, disk, tags and identity of its claim', async () => {
  const harness = await harnessWith({ spec: { bootDevice: { size: '50G' }, tags: ['web'] } })
  const view = await launch(harness, await harness.claim('a', { ...inZone('pve-3'), requests: { cpu: '3' } }))
  const { cluster } = harness.proxmox.get('lab') ?? harness.home
  const { config } = cluster.guests.get(FIRST_ID) ?? { config: {} }
  expect(config).toMatchObject({
    ...{ name: 'a', sockets: 1, cores: 4, memory: 8_192, tags: 'web;karpenter;karpenter-demo' },
    // 50 GB are 46.6 GiB.
    scsi0: 'local-lvm:vm-20000-disk-0,iothread=1,size=47G',
    net0: expect.stringMatching(/^virtio=[0-9A-F:]{17},bridge=vmbr0,queues=4$/),
    smbios1: `uuid=00000000-0000-4000-8000-000000004e20,base64=1,serial=${btoa('h=a;i=20000')},sku=${btoa('spot-c1.4VCPU-8GB')}`,
  })
  expect(view.labels).toMatchObject({ [labels.region]: 'lab', [labels.zone]: 'pve-3' })
})

test.each<FakeFault>([
  { code: 'ECONNRESET', isDone: true },
  { status: 500, message: 'got timeout', isDone: true },
])('the answer %j to a clone request that was accepted causes no second guest', async (fault) => {
  const harness = await harnessWith({ times: { clone: MINUTE } })
  await harness.provider.create(await harness.claim('first'), never).catch(() => undefined)
  // The claim is younger than the process, so no earlier process can have launched it.
  await harness.clock.advance(10 * MINUTE)
  const claim = await harness.claim('a')
  for (const fake of harness.proxmox.values()) fake.fail('POST /nodes/{node}/qemu/{vmid}/clone', fault)
  expect(String(await failureOf(harness.provider.create(claim, never)))).toContain('Kerf retries the launch')
  for (const fake of harness.proxmox.values()) fake.recover()
  expect(String(await failureOf(harness.provider.create(claim, never)))).toContain('Proxmox prepares guest')
  await harness.clock.advance(MINUTE)
  const view = await launch(harness, claim)
  const guests = [...harness.proxmox.values()].flatMap(({ cluster }) => cluster.instances())
  expect([view.providerID, guests.filter(({ config }) => config['name'] === 'a')]).toEqual([
    expect.stringMatching(/^proxmox:/),
    [expect.objectContaining({ status: 'running' })],
  ])
})

test('a guest is found before Proxmox’s statistics contain its name', async () => {
  const harness = await harnessWith({ times: { statistics: 10_000 } })
  const claim = await harness.claim('a')
  const view = await launch(harness, claim)
  expect((await harness.newProvider().create(claim, never)).providerID).toBe(view.providerID)
})

test('guests of Karpenter’s provider belong to the cluster whose NodeClaim has their provider ID', async () => {
  const harness = await harnessWith()
  const { cluster } = harness.home
  const description = 'Karpenter managed instance, class=default, capacity-type=on-demand'
  for (const vmid of [150, FIRST_ID + 151])
    cluster.put({ vmid, node: 'pve-1', config: { name: `old-${vmid}`, description, cores: 2 }, status: 'running' })
  const other = formatDescription({
    ...{ cluster: 'other', nodeClass: 'default', nodePool: 'p', nodeClaim: 'c', nodeClaimUid: 'u' },
    ...{ instanceType: 't', capacityType: 'on-demand', cpus: 1, memoryMiB: 1_024, imageId: 'i' },
    createdAt: '2026-01-01T00:00:00Z',
  })
  cluster.put({ vmid: 152, node: 'pve-1', config: { name: 'c', description: other }, status: 'running' })
  const claim = await harness.claim('old-150')
  for (const [name, vmid] of [
    ['old-150', 150],
    ['c', 152],
  ] as const) {
    if (name === 'c') await harness.claim('c')
    const providerID = `proxmox://home/${vmid}`
    await withProviderId(harness, { ...claim, metadata: { ...claim.metadata, name } }, { providerID } as InstanceView)
  }
  await harness.clock.advance(10_000)
  expect((await harness.provider.list(never)).map(({ providerID }) => providerID)).toEqual(['proxmox://home/150'])
  expect(isNodeClaimNotFound(await failureOf(harness.provider.get('proxmox://home/152', never)))).toBe(true)
  await harness.clock.advance(60 * MINUTE)
  expect(cluster.instances().map(({ vmid }) => vmid)).toEqual([150, FIRST_ID + 151, 152])
})

test.each([
  ['a tag that Proxmox refuses', { tags: ['my tag'] }, 'NodeClassInvalid: spec.tags: "my tag" must have only letters'],
  [
    'a security group that does not exist',
    { securityGroups: [{ name: 'web' }] },
    'TemplateUnusable: home/pve-1: security group web does not exist there; home/pve-2:',
  ],
  ['a storage that does not exist', { bootDevice: { storage: 'nfs' } }, 'home/pve-1: storage nfs does not exist there'],
  [
    'an unknown region',
    { region: 'mars' },
    'TemplateNotFound: CLOUD_CONFIG has no Proxmox cluster for the region mars',
  ],
  [
    'a missing template object',
    { instanceTemplateRef: { kind: 'ProxmoxUnmanagedTemplate' as const, name: 'none' } },
    'TemplateNotFound: ProxmoxUnmanagedTemplate none does not exist',
  ],
  [
    'a ProxmoxTemplate that does not exist',
    { instanceTemplateRef: { kind: 'ProxmoxTemplate' as const, name: 'default' } },
    'ProxmoxTemplate default does not exist',
  ],
  [
    'a grace period that is no duration',
    { kubeletConfiguration: { shutdownGracePeriod: 'soon' } },
    'spec.kubeletConfiguration.shutdownGracePeriod: "soon" must be a duration',
  ],
])('%s is reported by the condition, and nothing is launched', async (_what, spec, text) => {
  const harness = await harnessWith()
  await harness.change(spec)
  await harness.clock.advance(2_000)
  const { reason, message } = findCondition(await harness.nodeClass(), 'InstanceTemplateReady') ?? {}
  expect(`${reason}: ${message}`).toContain(text)
  expect(String(await failureOf(launch(harness, await harness.claim('a'))))).toContain('NodeClassRef not ready')
})

test('a class that needs a cloud-init disk is not ready unless the setting allows such disks', async () => {
  const harness = await harnessWith({ spec: { metadataOptions: { type: 'cdrom' } } })
  const { reason } = findCondition(await harness.nodeClass(), 'InstanceMetadataOptionsReady') ?? {}
  expect(reason).toBe('CloudInitDisabled')
})

test('the status of an unmanaged template states where it was found, or why it was not found', async () => {
  const harness = await harnessWith()
  const template = () => harness.client.get(unmanagedTemplateKind, { name: 'default' })
  expect((await template()).status).toMatchObject({
    zones: ['home/pve-1/9000', 'home/pve-2/9001', 'lab/pve-3/9000'],
    resources: { zones: '3' },
  })
  expect(findCondition(await template(), 'Ready')?.status).toBe('True')
  const change = async (spec: object) => {
    await harness.client.patch(unmanagedTemplateKind, { name: 'default' }, { type: 'merge', body: { spec } })
    await harness.clock.advance(2_000)
  }
  await change({ region: 'lab' })
  expect((await template()).status?.zones).toEqual(['lab/pve-3/9000'])
  await change({ templateName: 'debian' })
  const { status, message } = findCondition(await template(), 'ProxmoxVirtualMachineTemplateReady') ?? {}
  expect([status, message, (await template()).status?.zones]).toEqual([
    'False',
    'no template in Proxmox has the name debian and the tags talos; correct ProxmoxUnmanagedTemplate default, or convert a guest to a template',
    undefined,
  ])
})

test('a certificate of an unknown authority is reported as the cause', async () => {
  const harness = await harnessWith()
  for (const fake of harness.proxmox.values())
    fake.fail('GET /cluster/resources', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  await harness.clock.advance(10_000)
  await harness.change({ region: 'home' })
  await harness.clock.advance(2_000)
  const { status, reason, message } = findCondition(await harness.nodeClass(), 'InstanceTemplateReady') ?? {}
  expect([status, reason, message]).toEqual([
    'Unknown',
    'CertificateNotTrusted',
    expect.stringContaining('name its authority in ca_file of CLOUD_CONFIG'),
  ])
})

test('memory is also limited', async () => {
  const harness = await harnessWith()
  for (const { cluster } of harness.proxmox.values())
    for (const { name } of cluster.nodes) cluster.change(name, { memory: 5 * GIB })
  await harness.clock.advance(10_000)
  const view = await launch(harness, await harness.claim('a', { requests: { cpu: '500m', memory: '3Gi' } }))
  expect(view.capacity).toMatchObject({ memory: '4Gi' })
  const error = await failureOf(launch(harness, await harness.claim('b', { requests: { memory: '4Gi' } })))
  expect(isInsufficientCapacity(error)).toBe(true)
})
