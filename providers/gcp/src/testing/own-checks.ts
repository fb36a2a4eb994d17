import { capacityTypes, findCondition, karpenterKinds, kinds, labels, type NodeClaim, parseResources } from '@kerf/apis'
import { coordinatesOf, type InstanceView, isInsufficientCapacity } from '@kerf/provider-contract'
import { type Checks, type ConformanceWorld, create } from '@kerf/provider-contract/conformance'
import { node } from '@kerf/testing'
import { expect } from 'vitest'
import { nodeClassHashAnnotations } from '../names.ts'
import { gceNodeClassKind } from '../node-class/gce-node-class.ts'
import { type GcpEnvironment, publishImages } from './gcp-environment.ts'
import { BOOTSTRAP_SECRET } from './source-template.ts'

const never = new AbortController().signal
const MINUTE = 60_000
const environments = new WeakMap<ConformanceWorld, GcpEnvironment>()

/** Remembers the environment behind one of the suite. */
export const keepGcpEnvironment = (world: ConformanceWorld, own: GcpEnvironment): void =>
  void environments.set(world, own)

const ownOf = (world: ConformanceWorld): GcpEnvironment => {
  const own = environments.get(world)
  if (own === undefined) throw new Error('this environment belongs to another provider')
  return own
}

const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

/** Launches a claim, and writes what the core writes. */
const launched = async (
  world: ConformanceWorld,
  name: string,
): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView }> => {
  const view = await create(world, await world.claim(name))
  const { annotations, providerID, imageID } = view
  const body = { metadata: { annotations, labels: view.labels } }
  await world.client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body })
  const claim = await world.client.patch(
    karpenterKinds.NodeClaim,
    { name },
    { type: 'merge', body: { status: { providerID, imageID } } },
    { subresource: 'status' },
  )
  await world.clock.advance(100)
  return { claim, view }
}

const drift = (world: ConformanceWorld, { metadata }: NodeClaim): Promise<string | undefined> =>
  world.client
    .get(karpenterKinds.NodeClaim, { name: metadata.name })
    .then((claim) => world.provider.isDrifted(claim, never))

/** Returns the unavailable offerings. */
const unavailable = async (world: ConformanceWorld) =>
  (await world.provider.instanceTypes(world.pool(), never)).flatMap((type) =>
    type.offerings.filter(({ available }) => !available).map((each) => coordinatesOf(type, each)),
  )

const driftChecks: Checks = {
  C03: async (world) => {
    const { view } = await launched(world, 'a')
    const { metadata } = await ownOf(world).nodeClass()
    const hash = metadata.annotations?.[nodeClassHashAnnotations.hash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toEqual({
      [nodeClassHashAnnotations.hash]: hash,
      [nodeClassHashAnnotations.version]: 'v4',
    })
  },
  H02: async (world) => {
    const { claim } = await launched(world, 'a')
    await ownOf(world).change({ imageSelectorTerms: [{ family: 'ContainerOptimizedOS', version: '125.19216.220.12' }] })
    expect(await drift(world, claim)).toBeUndefined()
    await ownOf(world).change({ networkTags: ['mine'] })
    expect(await drift(world, claim)).toBe('NodeClassDrift')
  },
  H03: async (world) => {
    const { claim } = await launched(world, 'a')
    const metadata = {
      annotations: { [nodeClassHashAnnotations.hash]: '1', [nodeClassHashAnnotations.version]: 'v3' },
    }
    await world.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    expect(await drift(world, claim)).toBeUndefined()
    await world.client.patch(gceNodeClassKind, { name: 'default' }, { type: 'merge', body: { metadata } })
    await world.clock.advance(1_000)
    const migrated = await world.client.get(karpenterKinds.NodeClaim, { name: 'a' })
    const nodeClass = await ownOf(world).nodeClass()
    expect(nodeClass.metadata.annotations?.[nodeClassHashAnnotations.version]).toBe('v4')
    expect(migrated.metadata.annotations).toMatchObject(nodeClass.metadata.annotations ?? { none: '' })
    expect(await drift(world, claim)).toBeUndefined()
  },
  H04: async (world) => {
    const { claim } = await launched(world, 'a')
    const { gcp, client, clock } = ownOf(world)
    await publishImages(gcp, client, '125-19216-220-99', 1_000)
    await clock.advance(10 * MINUTE)
    expect(await drift(world, claim)).toBe('ImageDrift')
  },
}

const launchChecks: Checks = {
  C20: async (world) => {
    const { gcp } = ownOf(world)
    gcp.instances.failures.push({ code: 'QUOTA_EXCEEDED', offerings: { instanceType: 'n2-standard-4' } })
    const requirements = [
      { key: labels.instanceType, operator: 'In' as const, values: ['n2-standard-4'] },
      { key: labels.capacityType, operator: 'In' as const, values: [capacityTypes.spot] },
    ]
    const error = await failureOf(create(world, await world.claim('a', { requirements })))
    expect([isInsufficientCapacity(error), String(error)]).toEqual([true, expect.stringContaining('QUOTA_EXCEEDED')])
    const out = await unavailable(world)
    // Larger types of the family need more of the same quota. Other families and capacity types have their own.
    expect(new Set(out.map(({ instanceType }) => instanceType))).toEqual(
      new Set(['n2-highmem-16', 'n2-standard-4', 'n2-standard-8']),
    )
    expect(new Set(out.map(({ capacityType }) => capacityType))).toEqual(new Set([capacityTypes.spot]))
    expect(new Set(out.map(({ zone }) => zone)).size).toBe(3)
  },
  C24: async (world) => {
    const { gcp } = ownOf(world)
    gcp.instances.failures.push({ code: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', offerings: {} })
    const error = await failureOf(create(world, await world.claim('a')))
    expect(isInsufficientCapacity(error)).toBe(true)
    expect(await world.cloud.instances()).toEqual([])
    const [first] = await unavailable(world)
    gcp.instances.failures = []
    const { view } = await launched(world, 'b')
    expect({ instanceType: view.labels[labels.instanceType], zone: view.labels[labels.zone] }).not.toMatchObject({
      instanceType: first?.instanceType,
      zone: first?.zone,
    })
  },
  C26: async (world) => {
    await launched(world, 'a')
    const [instance] = ownOf(world).gcp.instances.all()
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
  T06: async (world) => {
    await ownOf(world).change({ kubeletConfiguration: { maxPods: 7 } })
    for (const { capacity } of await world.provider.instanceTypes(world.pool(), never))
      expect(capacity['pods']).toBe(parseResources({ pods: '7' })['pods'])
  },
  T08: async (world) => {
    const { gcp, clock } = ownOf(world)
    gcp.gke.locations = ['us-central1-b']
    await clock.advance(31 * MINUTE)
    const zones = (await world.provider.instanceTypes(world.pool(), never)).flatMap((type) =>
      type.offerings.map((offering) => coordinatesOf(type, offering).zone),
    )
    expect(new Set(zones)).toEqual(new Set(['us-central1-b']))
  },
}

const controllerChecks: Checks = {
  D08: async (world) => {
    await launched(world, 'a')
    const [instance] = ownOf(world).gcp.instances.all()
    const disks = instance?.body.disks ?? []
    expect(disks.length).toBeGreaterThan(0)
    expect(disks.every(({ autoDelete }) => autoDelete === true)).toBe(true)
  },
  B06: async (world) => {
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: [capacityTypes.spot] }]
    const view = await create(world, await world.claim('a', { requirements }))
    const { providerID } = view
    await world.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body: { status: { providerID } } },
      { subresource: 'status' },
    )
    const shutdown = {
      ...{ type: 'Ready', status: 'False' as const, reason: 'KubeletNotReady', message: 'node is shutting down' },
      lastTransitionTime: new Date(world.clock.now()).toISOString(),
    }
    await world.client.create(
      kinds.Node,
      node('a', { labels: view.labels, providerID, status: { conditions: [shutdown] } }),
    )
    await world.clock.advance(1_000)
    expect((await world.client.list(karpenterKinds.NodeClaim)).items).toEqual([])
    expect(world.events.events.filter(({ reason }) => reason === 'TerminatingOnInterruption')).toHaveLength(2)
    expect(await unavailable(world)).toEqual([
      {
        capacityType: capacityTypes.spot,
        instanceType: view.labels[labels.instanceType],
        zone: view.labels[labels.zone],
      },
    ])
  },
  B07: async (world) => {
    await launched(world, 'a')
    await world.client.delete(gceNodeClassKind, { name: 'default' })
    await world.clock.advance(1_000)
    expect((await world.client.list(gceNodeClassKind)).items).toHaveLength(1)
    expect(world.events.events.map(({ reason }) => reason)).toContain('WaitingOnNodeClaimTermination')
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(1_000)
    expect((await world.client.list(gceNodeClassKind)).items).toEqual([])
  },
  B08: async (world) => {
    const { gcp, clock, nodeClass } = ownOf(world)
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
  X04: async (world) => {
    const { gcp } = ownOf(world)
    await launched(world, 'a')
    gcp.tokens.clear()
    gcp.tokens.add('second token')
    const { view } = await launched(world, 'b')
    expect(view.nodeClaimName).toBe('b')
  },
  X05: async (world) => {
    await launched(world, 'a')
    world.cloud.fail('launch', 'auth')
    await failureOf(world.provider.create(await world.claim('b'), never))
    const written = JSON.stringify([world.events.events, world.log, await world.client.list(karpenterKinds.NodeClaim)])
    for (const secret of [BOOTSTRAP_SECRET, ...ownOf(world).gcp.tokens]) expect(written).not.toContain(`"${secret}"`)
    expect(written).not.toContain(BOOTSTRAP_SECRET)
  },
}

/** Checks that only this provider's package can implement. */
export const ownChecks: Checks = { ...driftChecks, ...launchChecks, ...controllerChecks }
