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
} from '@kerf/provider-contract/conformance'
import { node } from '@kerf/testing'
import { expect } from 'vitest'
import { instanceIdIn, nodeClassHashAnnotations, TAG } from '../names.ts'
import { ecsNodeClassKind } from '../node-class/ecs-node-class.ts'
import type { AlibabaHarness } from './alibaba-harness.ts'
import { cloudFaults } from './cloud-faults.ts'
import { ACCESS_KEY, JOIN_TOKEN, REGION } from './fake-alibaba/names.ts'

const MINUTE = 60_000
/** The Alibaba Cloud harness that belongs to each harness of the conformance suite. */
export const harnesses = ownHarnesses<AlibabaHarness>()

const hashChecks: Checks = {
  C03: async (harness) => {
    const { view } = await launch(harness, 'a')
    const nodeClass = await harnesses.of(harness).nodeClass()
    const hash = nodeClass.metadata.annotations?.[nodeClassHashAnnotations.hash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toEqual({
      [nodeClassHashAnnotations.hash]: hash,
      [nodeClassHashAnnotations.version]: 'v3',
    })
  },
  H02: async (harness) => {
    const { claim } = await launch(harness, 'a')
    await harnesses.of(harness).change({ vSwitchSelectorTerms: [{ tags: { 'karpenter.sh/discovery': '*' } }] })
    expect(await currentDrift(harness, claim)).toBeUndefined()
    await harnesses.of(harness).change({ keyPairName: 'nodes' })
    expect(await currentDrift(harness, claim)).toBe('NodeClassDrift')
  },
  H03: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const metadata = {
      annotations: { [nodeClassHashAnnotations.hash]: '1', [nodeClassHashAnnotations.version]: 'v2' },
    }
    await harness.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    expect(await currentDrift(harness, claim)).toBeUndefined()
    await harness.client.patch(ecsNodeClassKind, { name: 'default' }, { type: 'merge', body: { metadata } })
    await harness.clock.advance(1_000)
    const migrated = await harness.client.get(karpenterKinds.NodeClaim, { name: 'a' })
    const nodeClass = await harnesses.of(harness).nodeClass()
    expect(nodeClass.metadata.annotations?.[nodeClassHashAnnotations.version]).toBe('v3')
    expect(migrated.metadata.annotations).toMatchObject(nodeClass.metadata.annotations ?? { none: '' })
    expect(await currentDrift(harness, claim)).toBeUndefined()
  },
}

const cloudDriftChecks: Checks = {
  H04: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const { account, clock } = harnesses.of(harness)
    account.images = account.images.map((image) => ({ ...image, id: image.id.replace('20250117', '20260117') }))
    await clock.advance(10 * MINUTE)
    expect(await currentDrift(harness, claim)).toBe('ImageDrift')
  },
  H05: async (harness) => {
    const { claim, view } = await launch(harness, 'a')
    const { account, clock } = harnesses.of(harness)
    const zone = view.labels[labels.zone]
    account.vSwitches = account.vSwitches.filter((vSwitch) => vSwitch.zone !== zone)
    await clock.advance(2 * MINUTE)
    expect(await currentDrift(harness, claim)).toBe('VSwitchDrift')
    account.securityGroups = [...account.securityGroups.map((group) => ({ ...group, id: 'sg-other' }))]
    await clock.advance(6 * MINUTE)
    expect(await currentDrift(harness, claim)).toBe('SecurityGroupDrift')
  },
  H07: async (harness) => {
    const { claim } = await launch(harness, 'a')
    // A new provider process has not seen any instance yet.
    harness.restart()
    harness.cloud.fail('describe', 'serverError')
    expect(await expectRejection(currentDrift(harness, claim))).toBeInstanceOf(Error)
  },
}

const launchChecks: Checks = {
  C20: async (harness) => {
    const { account } = harnesses.of(harness)
    account.quota = { 'on-demand': 0, spot: 0 }
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: [capacityTypes.spot] }]
    const claim = await harness.claim('a', { requirements })
    const error = await expectRejection(harness.provider.create(claim, never))
    expect([isInsufficientCapacity(error), String(error)]).toEqual([true, expect.stringContaining('QuotaExceed')])
    const out = (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
      type.offerings.filter(({ available }) => !available).map((each) => offeringCoordinates(type, each).capacityType),
    )
    expect(new Set(out)).toEqual(new Set([capacityTypes.spot]))
  },
  C26: async (harness) => {
    await launch(harness, 'a')
    const [instance] = harnesses.of(harness).account.instances.living()
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
  T06: async (harness) => {
    // A list that the provider computed before the change must not be returned after it.
    expect(await harness.provider.instanceTypes(harness.pool(), never)).not.toEqual([])
    await harnesses.of(harness).change({ kubeletConfiguration: { maxPods: 7 } })
    for (const { capacity } of await harness.provider.instanceTypes(harness.pool(), never))
      expect(capacity['pods']).toBe(parseResources({ pods: '7' })['pods'])
  },
  T08: async (harness) => {
    await harnesses.of(harness).change({ vSwitchSelectorTerms: [{ id: 'vsw-i' }] })
    await harness.clock.advance(1_000)
    const zones = (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
      type.offerings.map((offering) => offeringCoordinates(type, offering).zone),
    )
    expect(new Set(zones)).toEqual(new Set(['cn-hangzhou-i']))
  },
  T09: async (harness) => {
    const prices = async () =>
      (await harness.provider.instanceTypes(harness.pool(), never)).map(({ offerings }) =>
        offerings.map(({ price }) => price),
      )
    const before = await prices()
    const { alibaba } = harnesses.of(harness)
    alibaba.fail('DescribeSpotPriceHistory', cloudFaults.serverError)
    const asked = alibaba.count('DescribeSpotPriceHistory')
    // A new process loads the stored prices and reads the current ones at once. A running process reads them every twelve hours.
    harness.restart()
    expect(await prices()).toEqual(before)
    const refresh = harness.provider.controllers?.().find(({ name }) => name === 'pricing')
    await expectRejection(refresh?.reconcile('', never) ?? Promise.resolve())
    expect(alibaba.count('DescribeSpotPriceHistory')).toBeGreaterThan(asked)
    expect(await prices()).toEqual(before)
  },
}

const controllerChecks: Checks = {
  B06: async (harness) => {
    const requirements = [{ key: labels.capacityType, operator: 'In' as const, values: [capacityTypes.spot] }]
    const claim = await harness.claim('a', { requirements })
    const view = await create(harness, claim)
    const { providerID } = view
    const ref = { name: 'a' }
    await harness.client.patch(
      karpenterKinds.NodeClaim,
      ref,
      { type: 'merge', body: { status: { providerID } } },
      { subresource: 'status' },
    )
    const lastTransitionTime = new Date(harness.clock.now()).toISOString()
    const expired = {
      type: 'InstanceExpired',
      status: 'True' as const,
      reason: 'Recycling',
      message: '',
      lastTransitionTime,
    }
    await harness.client.create(
      kinds.Node,
      node('a', { labels: view.labels, providerID, status: { conditions: [expired] } }),
    )
    await harness.clock.advance(1_000)
    expect((await harness.client.list(karpenterKinds.NodeClaim)).items).toEqual([])
    expect(harness.events.events.filter(({ reason }) => reason === 'TerminatingOnInterruption')).toHaveLength(2)
    const out = (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
      type.offerings.filter(({ available }) => !available).map((each) => offeringCoordinates(type, each)),
    )
    expect(out).toEqual([
      {
        capacityType: capacityTypes.spot,
        instanceType: view.labels[labels.instanceType],
        zone: view.labels[labels.zone],
      },
    ])
  },
  B07: async (harness) => {
    await launch(harness, 'a')
    await harness.client.delete(ecsNodeClassKind, { name: 'default' })
    await harness.clock.advance(1_000)
    expect((await harness.client.list(ecsNodeClassKind)).items).toHaveLength(1)
    expect(harness.events.events.map(({ reason }) => reason)).toContain('WaitingOnNodeClaimTermination')
    await harness.client.delete(karpenterKinds.NodeClaim, { name: 'a' })
    await harness.clock.advance(1_000)
    expect((await harness.client.list(ecsNodeClassKind)).items).toEqual([])
  },
  B08: async (harness) => {
    const { account, clock, nodeClass } = harnesses.of(harness)
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
  B09: async (harness) => {
    const { view } = await launch(harness, 'a')
    const { account, alibaba } = harnesses.of(harness)
    await harness.client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body: { status: { nodeName: 'node-a' } } },
      { subresource: 'status' },
    )
    await harness.clock.advance(5_000)
    expect(account.instances.get(instanceIdIn(view.providerID, REGION) ?? '')?.tags).toMatchObject({
      Name: 'node-a',
      [TAG.nodeClaim]: 'a',
    })
    await harness.clock.advance(5 * MINUTE)
    expect(alibaba.count('AddTags')).toBe(1)
  },
  X05: async (harness) => {
    const password = 'Never-written-1'
    await harnesses.of(harness).change({ password })
    await launch(harness, 'a')
    harness.cloud.fail('launch', 'auth')
    await expectRejection(harness.provider.create(await harness.claim('b'), never))
    const written = JSON.stringify([
      harness.events.events,
      harness.log,
      await harness.client.list(karpenterKinds.NodeClaim),
    ])
    for (const secret of [JOIN_TOKEN, ACCESS_KEY.secret, password]) expect(written).not.toContain(secret)
  },
}

/** The checks that this package implements itself. */
export const ownChecks: Checks = { ...hashChecks, ...cloudDriftChecks, ...launchChecks, ...controllerChecks }
