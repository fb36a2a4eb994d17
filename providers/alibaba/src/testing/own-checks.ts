import { capacityTypes, findCondition, karpenterKinds, kinds, labels, type NodeClaim, parseResources } from '@kerf/apis'
import { coordinatesOf, type InstanceView, isInsufficientCapacity } from '@kerf/provider-contract'
import { type Checks, type ConformanceWorld, create } from '@kerf/provider-contract/conformance'
import { node } from '@kerf/testing'
import { expect } from 'vitest'
import { instanceIdIn, nodeClassHashAnnotations, TAG } from '../names.ts'
import { ecsNodeClassKind } from '../node-class/ecs-node-class.ts'
import type { AlibabaWorld } from './alibaba-world.ts'
import { cloudFaults } from './cloud-faults.ts'
import { ACCESS_KEY, JOIN_TOKEN, REGION } from './fake-alibaba/names.ts'

const never = new AbortController().signal
const MINUTE = 60_000
const worlds = new WeakMap<ConformanceWorld, AlibabaWorld>()

/** Remembers the world behind one of the suite. */
export const keepAlibabaWorld = (world: ConformanceWorld, own: AlibabaWorld): void => void worlds.set(world, own)

const ownWorld = (world: ConformanceWorld): AlibabaWorld => {
  const own = worlds.get(world)
  if (own === undefined) throw new Error('this world belongs to another provider')
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
  const made = await world.claim(name)
  const view = await create(world, made)
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

const hashChecks: Checks = {
  C03: async (world) => {
    const { view } = await launched(world, 'a')
    const nodeClass = await ownWorld(world).nodeClass()
    const hash = nodeClass.metadata.annotations?.[nodeClassHashAnnotations.hash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toEqual({
      [nodeClassHashAnnotations.hash]: hash,
      [nodeClassHashAnnotations.version]: 'v3',
    })
  },
  H02: async (world) => {
    const { claim } = await launched(world, 'a')
    await ownWorld(world).change({ vSwitchSelectorTerms: [{ tags: { 'karpenter.sh/discovery': '*' } }] })
    expect(await drift(world, claim)).toBeUndefined()
    await ownWorld(world).change({ keyPairName: 'nodes' })
    expect(await drift(world, claim)).toBe('NodeClassDrift')
  },
  H03: async (world) => {
    const { claim } = await launched(world, 'a')
    const metadata = {
      annotations: { [nodeClassHashAnnotations.hash]: '1', [nodeClassHashAnnotations.version]: 'v2' },
    }
    await world.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    expect(await drift(world, claim)).toBeUndefined()
    await world.client.patch(ecsNodeClassKind, { name: 'default' }, { type: 'merge', body: { metadata } })
    await world.clock.advance(1_000)
    const migrated = await world.client.get(karpenterKinds.NodeClaim, { name: 'a' })
    const nodeClass = await ownWorld(world).nodeClass()
    expect(nodeClass.metadata.annotations?.[nodeClassHashAnnotations.version]).toBe('v3')
    expect(migrated.metadata.annotations).toMatchObject(nodeClass.metadata.annotations ?? { none: '' })
    expect(await drift(world, claim)).toBeUndefined()
  },
}

const cloudDriftChecks: Checks = {
  H04: async (world) => {
    const { claim } = await launched(world, 'a')
    const { account, clock } = ownWorld(world)
    account.images = account.images.map((image) => ({ ...image, id: image.id.replace('20250117', '20260117') }))
    await clock.advance(10 * MINUTE)
    expect(await drift(world, claim)).toBe('ImageDrift')
  },
  H05: async (world) => {
    const { claim, view } = await launched(world, 'a')
    const { account, clock } = ownWorld(world)
    const zone = view.labels[labels.zone]
    account.vSwitches = account.vSwitches.filter((vSwitch) => vSwitch.zone !== zone)
    await clock.advance(2 * MINUTE)
    expect(await drift(world, claim)).toBe('VSwitchDrift')
    account.securityGroups = [...account.securityGroups.map((group) => ({ ...group, id: 'sg-other' }))]
    await clock.advance(6 * MINUTE)
    expect(await drift(world, claim)).toBe('SecurityGroupDrift')
  },
  H07: async (world) => {
    const { claim } = await launched(world, 'a')
    world.cloud.fail('describe', 'serverError')
    expect(await failureOf(drift(world, claim))).toBeInstanceOf(Error)
  },
}

const launchChecks: Checks = {
  C20: async (world) => {
    const { account } = ownWorld(world)
    account.quota = { 'on-demand': 0, spot: 0 }
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: [capacityTypes.spot] }]
    const claim = await world.claim('a', { requirements })
    const error = await failureOf(world.provider.create(claim, never))
    expect([isInsufficientCapacity(error), String(error)]).toEqual([true, expect.stringContaining('QuotaExceed')])
    const out = (await world.provider.instanceTypes(world.pool(), never)).flatMap((type) =>
      type.offerings.filter(({ available }) => !available).map((each) => coordinatesOf(type, each).capacityType),
    )
    expect(new Set(out)).toEqual(new Set([capacityTypes.spot]))
  },
  C26: async (world) => {
    await launched(world, 'a')
    const [instance] = ownWorld(world).account.instances.living()
    const text = Buffer.from(instance?.userData ?? '', 'base64').toString()
    for (const part of [
      'k8s.aliyun.com=true,ack.aliyun.com=',
      'karpenter.sh/nodepool=default',
      '--taints karpenter.sh/unregistered:NoExecute',
      '--runtime containerd --runtime-version 1.6.36',
      '--node-config ',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain(ACCESS_KEY.secret)
  },
  T06: async (world) => {
    await ownWorld(world).change({ kubeletConfiguration: { maxPods: 7 } })
    for (const { capacity } of await world.provider.instanceTypes(world.pool(), never))
      expect(capacity['pods']).toBe(parseResources({ pods: '7' })['pods'])
  },
  T08: async (world) => {
    await ownWorld(world).change({ vSwitchSelectorTerms: [{ id: 'vsw-i' }] })
    await world.clock.advance(1_000)
    const zones = (await world.provider.instanceTypes(world.pool(), never)).flatMap((type) =>
      type.offerings.map((offering) => coordinatesOf(type, offering).zone),
    )
    expect(new Set(zones)).toEqual(new Set(['cn-hangzhou-i']))
  },
  T09: async (world) => {
    const prices = async () =>
      (await world.provider.instanceTypes(world.pool(), never)).map(({ offerings }) =>
        offerings.map(({ price }) => price),
      )
    const before = await prices()
    ownWorld(world).alibaba.fail('DescribeSpotPriceHistory', cloudFaults.serverError)
    await world.clock.advance(13 * 60 * MINUTE)
    expect(await prices()).toEqual(before)
  },
}

const controllerChecks: Checks = {
  B06: async (world) => {
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: [capacityTypes.spot] }]
    const claim = await world.claim('a', { requirements })
    const view = await create(world, claim)
    const { providerID } = view
    const ref = { name: 'a' }
    await world.client.patch(
      karpenterKinds.NodeClaim,
      ref,
      { type: 'merge', body: { status: { providerID } } },
      { subresource: 'status' },
    )
    const lastTransitionTime = new Date(world.clock.now()).toISOString()
    const expired = {
      type: 'InstanceExpired',
      status: 'True' as const,
      reason: 'Recycling',
      message: '',
      lastTransitionTime,
    }
    await world.client.create(
      kinds.Node,
      node('a', { labels: view.labels, providerID, status: { conditions: [expired] } }),
    )
    await world.clock.advance(1_000)
    expect((await world.client.list(karpenterKinds.NodeClaim)).items).toEqual([])
    expect(world.events.events.filter(({ reason }) => reason === 'TerminatingOnInterruption')).toHaveLength(2)
    const out = (await world.provider.instanceTypes(world.pool(), never)).flatMap((type) =>
      type.offerings.filter(({ available }) => !available).map((each) => coordinatesOf(type, each)),
    )
    expect(out).toEqual([
      {
        capacityType: capacityTypes.spot,
        instanceType: view.labels[labels.instanceType],
        zone: view.labels[labels.zone],
      },
    ])
  },
  B07: async (world) => {
    await launched(world, 'a')
    await world.client.delete(ecsNodeClassKind, { name: 'default' })
    await world.clock.advance(1_000)
    expect((await world.client.list(ecsNodeClassKind)).items).toHaveLength(1)
    expect(world.events.events.map(({ reason }) => reason)).toContain('WaitingOnNodeClaimTermination')
    await world.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await world.clock.advance(1_000)
    expect((await world.client.list(ecsNodeClassKind)).items).toEqual([])
  },
  B08: async (world) => {
    const { account, clock, nodeClass } = ownWorld(world)
    const status = async (type: string) => {
      const condition = findCondition(await nodeClass(), type)
      return [condition?.status, condition?.reason]
    }
    const groups = account.securityGroups
    account.securityGroups = []
    await clock.advance(6 * MINUTE)
    expect(await status('SecurityGroupsReady')).toEqual(['False', 'SecurityGroupsNotFound'])
    expect((await status('Ready'))[0]).toBe('False')
    account.securityGroups = groups
    await clock.advance(MINUTE)
    expect((await status('Ready'))[0]).toBe('True')
  },
  B09: async (world) => {
    const { view } = await launched(world, 'a')
    const { account, alibaba } = ownWorld(world)
    await world.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body: { status: { nodeName: 'node-a' } } },
      { subresource: 'status' },
    )
    await world.clock.advance(5_000)
    expect(account.instances.get(instanceIdIn(view.providerID, REGION) ?? '')?.tags).toMatchObject({
      Name: 'node-a',
      [TAG.nodeClaim]: 'a',
    })
    await world.clock.advance(5 * MINUTE)
    expect(alibaba.count('AddTags')).toBe(1)
  },
  X05: async (world) => {
    await launched(world, 'a')
    world.cloud.fail('launch', 'auth')
    await failureOf(world.provider.create(await world.claim('b'), never))
    const written = JSON.stringify([world.events.events, world.log, await world.client.list(karpenterKinds.NodeClaim)])
    for (const secret of [JOIN_TOKEN, ACCESS_KEY.secret]) expect(written).not.toContain(secret)
  },
}

/** Checks that only this provider's package can implement. */
export const ownChecks: Checks = { ...hashChecks, ...cloudDriftChecks, ...launchChecks, ...controllerChecks }
