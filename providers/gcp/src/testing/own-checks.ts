import { capacityTypes, findCondition, karpenterKinds, kinds, labels, parseResources } from '@kerf/apis'
import { isInsufficientCapacity, offeringCoordinates } from '@kerf/provider-contract'
import {
  type Checks,
  create,
  currentDrift,
  expectRejection,
  launch,
  never,
  ownHarnesses,
  unavailableOfferings,
} from '@kerf/provider-contract/conformance'
import { node } from '@kerf/testing'
import { expect } from 'vitest'
import { nodeClassHashAnnotations } from '../names.ts'
import { gceNodeClassKind } from '../node-class/gce-node-class.ts'
import { type GcpHarness, publishImages } from './gcp-harness.ts'
import { BOOTSTRAP_SECRET } from './source-template.ts'

const MINUTE = 60_000
/** The Google Cloud harness that belongs to each harness of the conformance suite. */
export const harnesses = ownHarnesses<GcpHarness>()

const driftChecks: Checks = {
  C03: async (harness) => {
    const { view } = await launch(harness, 'a')
    const { metadata } = await harnesses.of(harness).nodeClass()
    const hash = metadata.annotations?.[nodeClassHashAnnotations.hash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toEqual({
      [nodeClassHashAnnotations.hash]: hash,
      [nodeClassHashAnnotations.version]: 'v4',
    })
  },
  H02: async (harness) => {
    const { claim } = await launch(harness, 'a')
    await harnesses.of(harness).change({
      imageSelectorTerms: [{ family: 'ContainerOptimizedOS', version: '125.19216.220.12' }],
    })
    expect(await currentDrift(harness, claim)).toBeUndefined()
    await harnesses.of(harness).change({ networkTags: ['mine'] })
    expect(await currentDrift(harness, claim)).toBe('NodeClassDrift')
  },
  H03: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const metadata = {
      annotations: { [nodeClassHashAnnotations.hash]: '1', [nodeClassHashAnnotations.version]: 'v3' },
    }
    await harness.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    expect(await currentDrift(harness, claim)).toBeUndefined()
    await harness.client.patch(gceNodeClassKind, { name: 'default' }, { type: 'merge', body: { metadata } })
    await harness.clock.advance(1_000)
    const migrated = await harness.client.get(karpenterKinds.NodeClaim, { name: 'a' })
    const nodeClass = await harnesses.of(harness).nodeClass()
    expect(nodeClass.metadata.annotations?.[nodeClassHashAnnotations.version]).toBe('v4')
    expect(migrated.metadata.annotations).toMatchObject(nodeClass.metadata.annotations ?? { none: '' })
    expect(await currentDrift(harness, claim)).toBeUndefined()
  },
  H04: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const { gcp, client, clock } = harnesses.of(harness)
    await publishImages(gcp, client, '125-19216-220-99', 1_000)
    await clock.advance(10 * MINUTE)
    expect(await currentDrift(harness, claim)).toBe('ImageDrift')
  },
}

const launchChecks: Checks = {
  C20: async (harness) => {
    const { gcp } = harnesses.of(harness)
    gcp.instances.failures.push({ code: 'QUOTA_EXCEEDED', offerings: { instanceType: 'n2-standard-4' } })
    const requirements = [
      { key: labels.instanceType, operator: 'In' as const, values: ['n2-standard-4'] },
      { key: labels.capacityType, operator: 'In' as const, values: [capacityTypes.spot] },
    ]
    const error = await expectRejection(create(harness, await harness.claim('a', { requirements })))
    expect([isInsufficientCapacity(error), String(error)]).toEqual([true, expect.stringContaining('QUOTA_EXCEEDED')])
    const out = await unavailableOfferings(harness)
    // Larger types of the family use the same quota. Other families and capacity types have separate quotas.
    expect(new Set(out.map(({ instanceType }) => instanceType))).toEqual(
      new Set(['n2-highmem-16', 'n2-standard-4', 'n2-standard-8']),
    )
    expect(new Set(out.map(({ capacityType }) => capacityType))).toEqual(new Set([capacityTypes.spot]))
    expect(new Set(out.map(({ zone }) => zone)).size).toBe(3)
  },
  C24: async (harness) => {
    const { gcp } = harnesses.of(harness)
    gcp.instances.failures.push({ code: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', offerings: {} })
    const error = await expectRejection(create(harness, await harness.claim('a')))
    expect(isInsufficientCapacity(error)).toBe(true)
    expect(await harness.cloud.instances()).toEqual([])
    const [first] = await unavailableOfferings(harness)
    gcp.instances.failures = []
    const { view } = await launch(harness, 'b')
    expect({ instanceType: view.labels[labels.instanceType], zone: view.labels[labels.zone] }).not.toMatchObject({
      instanceType: first?.instanceType,
      zone: first?.zone,
    })
  },
  C26: async (harness) => {
    await launch(harness, 'a')
    const [instance] = harnesses.of(harness).gcp.instances.all()
    const items = instance?.body.metadata?.items ?? []
    const text = items.find(({ key }) => key === 'kube-env')?.value ?? ''
    for (const part of [
      `ZONE: ${instance?.zone}`,
      '--register-with-taints=karpenter.sh/unregistered=true:NoExecute',
      'karpenter.sh/nodepool=default',
      'cloud.google.com/gke-netd-ready=true',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('token')
  },
  T06: async (harness) => {
    // A list that the provider computed before the change must not be returned after it.
    expect(await harness.provider.instanceTypes(harness.pool(), never)).not.toEqual([])
    await harnesses.of(harness).change({ kubeletConfiguration: { maxPods: 7 } })
    for (const { capacity } of await harness.provider.instanceTypes(harness.pool(), never))
      expect(capacity['pods']).toBe(parseResources({ pods: '7' })['pods'])
  },
  T08: async (harness) => {
    const { gcp, clock } = harnesses.of(harness)
    gcp.gke.locations = ['us-central1-b']
    await clock.advance(31 * MINUTE)
    const zones = (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
      type.offerings.map((offering) => offeringCoordinates(type, offering).zone),
    )
    expect(new Set(zones)).toEqual(new Set(['us-central1-b']))
  },
  T09: async (harness) => {
    const { gcp, clock } = harnesses.of(harness)
    const prices = async () =>
      (await harness.provider.instanceTypes(harness.pool(), never)).flatMap(({ offerings }) =>
        offerings.map(({ price }) => price),
      )
    const before = await prices()
    expect(harness.provider.priceSources?.().onDemand.source).toBe('gcp')
    gcp.billing.isDisabled = true
    await clock.advance(13 * 60 * MINUTE)
    expect(await prices()).toEqual(before)
    harness.restart()
    expect((await prices()).every((price) => (price ?? 0) > 0)).toBe(true)
  },
}

const controllerChecks: Checks = {
  D08: async (harness) => {
    await launch(harness, 'a')
    const [instance] = harnesses.of(harness).gcp.instances.all()
    const disks = instance?.body.disks ?? []
    expect(disks.length).toBeGreaterThan(0)
    expect(disks.every(({ autoDelete }) => autoDelete === true)).toBe(true)
  },
  B06: async (harness) => {
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: [capacityTypes.spot] }]
    const view = await create(harness, await harness.claim('a', { requirements }))
    const { providerID } = view
    await harness.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body: { status: { providerID } } },
      { subresource: 'status' },
    )
    const shutdown = {
      ...{ type: 'Ready', status: 'False' as const, reason: 'KubeletNotReady', message: 'node is shutting down' },
      lastTransitionTime: new Date(harness.clock.now()).toISOString(),
    }
    await harness.client.create(
      kinds.Node,
      node('a', { labels: view.labels, providerID, status: { conditions: [shutdown] } }),
    )
    await harness.clock.advance(1_000)
    expect((await harness.client.list(karpenterKinds.NodeClaim)).items).toEqual([])
    expect(harness.events.events.filter(({ reason }) => reason === 'TerminatingOnInterruption')).toHaveLength(2)
    expect(await unavailableOfferings(harness)).toEqual([
      {
        capacityType: capacityTypes.spot,
        instanceType: view.labels[labels.instanceType],
        zone: view.labels[labels.zone],
      },
    ])
  },
  B07: async (harness) => {
    await launch(harness, 'a')
    await harness.client.delete(gceNodeClassKind, { name: 'default' })
    await harness.clock.advance(1_000)
    expect((await harness.client.list(gceNodeClassKind)).items).toHaveLength(1)
    expect(harness.events.events.map(({ reason }) => reason)).toContain('WaitingOnNodeClaimTermination')
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(1_000)
    expect((await harness.client.list(gceNodeClassKind)).items).toEqual([])
  },
  B08: async (harness) => {
    const { gcp, clock, nodeClass } = harnesses.of(harness)
    const status = async (type: string) => {
      const condition = findCondition(await nodeClass(), type)
      return [condition?.status, condition?.reason]
    }
    const published = gcp.offer.images.splice(0)
    await clock.advance(6 * MINUTE)
    expect(await status('ImagesReady')).toEqual(['False', 'ImageResolutionFailed'])
    expect((await status('Ready'))[0]).toBe('False')
    gcp.offer.images.push(...published)
    await clock.advance(2 * MINUTE)
    expect((await status('Ready'))[0]).toBe('True')
  },
  X04: async (harness) => {
    const { gcp } = harnesses.of(harness)
    await launch(harness, 'a')
    gcp.tokens.clear()
    gcp.tokens.add('second token')
    const { view } = await launch(harness, 'b')
    expect(view.nodeClaimName).toBe('b')
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
    for (const secret of [BOOTSTRAP_SECRET, ...harnesses.of(harness).gcp.tokens])
      expect(written).not.toContain(`"${secret}"`)
    expect(written).not.toContain(BOOTSTRAP_SECRET)
  },
}

/** The checks that this package implements itself. */
export const ownChecks: Checks = { ...driftChecks, ...launchChecks, ...controllerChecks }
