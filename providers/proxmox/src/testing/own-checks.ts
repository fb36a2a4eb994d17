import { findCondition, karpenterKinds, labels, parseResources } from '@kerf/apis'
import { findError, type InstanceView, LaunchPendingError, offeringCoordinates } from '@kerf/provider-contract'
import {
  type Checks,
  type ConformanceHarness,
  create,
  currentDrift,
  expectRejection,
  launch,
  never,
  ownHarnesses,
} from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { nodeClassHashAnnotations, parseProviderId } from '../names.ts'
import { proxmoxNodeClassKind } from '../node-class/proxmox-node-class.ts'
import { cloudFaults } from './cloud-faults.ts'
import { FAKE_SECRET } from './fake-proxmox/fake-proxmox.ts'
import type { FakeGuest } from './fake-proxmox/fake-state.ts'
import { CLASS, type ProxmoxHarness } from './proxmox-harness.ts'

const MINUTE = 60_000
const CONFIGURE = 'PUT /nodes/{node}/qemu/{vmid}/config'
/** The Proxmox harness that belongs to each harness of the conformance suite. */
export const harnesses = ownHarnesses<ProxmoxHarness>()

/** Returns the fake's guest for an instance. */
const harnessGuest = (harness: ConformanceHarness, { providerID }: InstanceView): FakeGuest => {
  const { region = '', vmid = 0 } = parseProviderId(providerID) ?? {}
  const guest = harnesses.of(harness).proxmox.get(region)?.cluster.guests.get(vmid)
  if (guest === undefined) throw new Error(`the fake has no guest ${providerID}`)
  return guest
}

const hashChecks: Checks = {
  C03: async (harness) => {
    const { view } = await launch(harness, 'a')
    const nodeClass = await harnesses.of(harness).nodeClass()
    const hash = nodeClass.metadata.annotations?.[nodeClassHashAnnotations.hash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toMatchObject({
      [nodeClassHashAnnotations.hash]: hash,
      [nodeClassHashAnnotations.version]: 'v1',
    })
  },
  H02: async (harness) => {
    const { claim } = await launch(harness, 'a')
    await harnesses.of(harness).change({ tags: ['web'], resourcePool: 'kubernetes' })
    expect(await currentDrift(harness, claim)).toBeUndefined()
    await harnesses.of(harness).change({ bootDevice: { size: '40G' } })
    expect(await currentDrift(harness, claim)).toBe('NodeClassDrift')
  },
  H03: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const metadata = {
      annotations: { [nodeClassHashAnnotations.hash]: '1', [nodeClassHashAnnotations.version]: 'v0' },
    }
    await harness.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    expect(await currentDrift(harness, claim)).toBeUndefined()
    await harness.client.patch(proxmoxNodeClassKind, { name: CLASS }, { type: 'merge', body: { metadata } })
    await harness.clock.advance(1_000)
    const nodeClass = await harnesses.of(harness).nodeClass()
    expect(nodeClass.metadata.annotations?.[nodeClassHashAnnotations.version]).toBe('v1')
    expect(await currentDrift(harness, claim)).toBeUndefined()
  },
}

const driftChecks: Checks = {
  H04: async (harness) => {
    const { claim, view } = await launch(harness, 'a')
    const { region = '' } = parseProviderId(view.providerID) ?? {}
    for (const { config } of harnesses.of(harness).proxmox.get(region)?.cluster.guests.values() ?? [])
      if (config['template'] === 1) config['meta'] = 'creation-qemu=10.0.0,ctime=1790000000'
    await harness.clock.advance(2 * MINUTE)
    expect(await currentDrift(harness, claim)).toBe('ImageDrift')
  },
  // The class selects hypervisors instead of networks.
  H05: async (harness) => {
    const { claim } = await launch(harness, 'a')
    await harnesses.of(harness).change({ region: 'lab' })
    expect(await currentDrift(harness, claim)).toBe('NodeClassDrift')
  },
  H07: async (harness) => {
    const { claim } = await launch(harness, 'a')
    harness.restart()
    harness.cloud.fail('describe', 'serverError')
    expect(await expectRejection(currentDrift(harness, claim))).toBeInstanceOf(Error)
  },
}

const launchChecks: Checks = {
  C23: async (harness) => {
    const claim = await harness.claim('a')
    for (const fake of harnesses.of(harness).proxmox.values()) fake.fail(CONFIGURE, cloudFaults.auth)
    expect(String(await expectRejection(create(harness, claim)))).toContain('lacks VM.Clone on /vms/9000')
    for (const fake of harnesses.of(harness).proxmox.values()) fake.recover()
    await harness.provider.delete(claim, never)
    await harness.clock.advance(10_000)
    expect(await harness.cloud.instances()).toEqual([])
  },
  C24: async (harness) => {
    for (const { cluster } of harnesses.of(harness).proxmox.values())
      cluster.times = { ...cluster.times, clone: MINUTE }
    const claim = await harness.claim('a')
    const pending = findError(await expectRejection(harness.provider.create(claim, never)), LaunchPendingError)
    expect(pending?.coming?.labels[labels.instanceType]).toBe('spot-c1.1VCPU-2GB')
    // The new process cannot identify the clone, because it has no description yet.
    harness.restart()
    expect(findError(await expectRejection(harness.provider.create(claim, never)), LaunchPendingError)).toBeDefined()
    await harness.clock.advance(MINUTE)
    const view = await create(harness, claim)
    expect(view.labels).toMatchObject(pending?.coming?.labels ?? { none: '' })
    expect((await harness.cloud.instances()).map(({ providerID }) => providerID)).toEqual([view.providerID])
    expect(harnessGuest(harness, view)).toMatchObject({ status: 'running', config: { cores: 1, memory: 2_048 } })
  },
  T06: async (harness) => {
    // A list that the provider computed before the change must not be returned after it.
    expect(await harness.provider.instanceTypes(harness.pool(), never)).not.toEqual([])
    await harnesses.of(harness).change({ kubeletConfiguration: { maxPods: 17 } })
    for (const { capacity } of await harness.provider.instanceTypes(harness.pool(), never))
      expect(capacity['pods']).toBe(parseResources({ pods: '17' })['pods'])
  },
  T08: async (harness) => {
    await harnesses.of(harness).change({ region: 'lab' })
    const zones = (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
      type.offerings.map((offering) => offeringCoordinates(type, offering).zone),
    )
    expect(new Set(zones)).toEqual(new Set(['pve-3']))
  },
}

const controllerChecks: Checks = {
  B07: async (harness) => {
    await launch(harness, 'a')
    await harness.client.delete(proxmoxNodeClassKind, { name: CLASS })
    await harness.clock.advance(1_000)
    expect((await harness.client.list(proxmoxNodeClassKind)).items).toHaveLength(1)
    expect(harness.events.events.map(({ reason }) => reason)).toContain('WaitingOnNodeClaimTermination')
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(1_000)
    expect((await harness.client.list(proxmoxNodeClassKind)).items).toEqual([])
  },
  B08: async (harness) => {
    const { clock, nodeClass, home, proxmox } = harnesses.of(harness)
    const zones = async () => (await nodeClass()).status?.selectedZones
    expect(await zones()).toEqual(['home/pve-1/9000', 'home/pve-2/9001', 'lab/pve-3/9000'])
    home.cluster.guests.delete(9_000)
    home.cluster.change('pve-2', { bridges: ['vmbr1'] })
    await clock.advance(2 * MINUTE)
    expect(await zones()).toEqual(['lab/pve-3/9000'])
    proxmox.get('lab')?.cluster.guests.delete(9_000)
    await clock.advance(2 * MINUTE)
    const condition = findCondition(await nodeClass(), 'InstanceTemplateReady')
    expect([condition?.status, condition?.reason, condition?.message]).toEqual([
      'False',
      'TemplateUnusable',
      'home/pve-2: bridge vmbr0 does not exist there',
    ])
  },
  B10: async (harness) => {
    const { view } = await launch(harness, 'a')
    const securityGroups = [{ interface: 'net0', name: 'k8s' }]
    await harnesses.of(harness).change({ tags: ['web'], resourcePool: 'kubernetes', securityGroups })
    const guest = harnessGuest(harness, view)
    const rules = [{ type: 'group', action: 'k8s', iface: 'net0', enable: 1 }]
    expect([guest.config['tags'], guest.pool, guest.hasFirewall, guest.rules]).toEqual([
      'web;karpenter;karpenter-demo',
      'kubernetes',
      true,
      rules,
    ])
    await harnesses.of(harness).change({ tags: [], resourcePool: 'other', securityGroups: [] })
    expect([guest.config['tags'], guest.pool, guest.rules]).toEqual(['karpenter;karpenter-demo', 'other', []])
    expect((await harness.provider.get(view.providerID, never)).providerID).toBe(view.providerID)
  },
  X04: async (harness) => {
    const { view } = await launch(harness, 'a')
    for (const fake of harnesses.of(harness).proxmox.values()) fake.secret = 'rotated'
    await harness.clock.advance(10_000)
    expect((await harness.provider.list(never)).map(({ providerID }) => providerID)).toEqual([view.providerID])
  },
  X05: async (harness) => {
    await launch(harness, 'a')
    harness.cloud.fail('launch', 'auth')
    await expectRejection(harness.provider.create(await harness.claim('b'), never))
    const written = JSON.stringify([
      harness.events.events,
      harness.log,
      await harness.client.list(karpenterKinds.NodeClaim),
    ])
    expect(written).not.toContain(FAKE_SECRET)
  },
}

/** The checks that this package implements itself. */
export const ownChecks: Checks = { ...hashChecks, ...driftChecks, ...launchChecks, ...controllerChecks }
