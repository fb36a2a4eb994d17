import { findCondition, karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { type InstanceView, isInsufficientCapacity, offeringCoordinates } from '@kerf/provider-contract'
import { type Checks, type ConformanceHarness, create } from '@kerf/provider-contract/conformance'
import { expect } from 'vitest'
import { METADATA, nodeClassHashAnnotations, serverIdIn } from '../names.ts'
import { bizflyNodeClassKind } from '../node-class/bizfly-node-class.ts'
import type { BizflyHarness } from './bizfly-harness.ts'
import { CLUSTER_TOKEN, NETWORK, PASSWORD } from './fake-bizfly/names.ts'

const never = new AbortController().signal
const MINUTE = 60_000
const harnesses = new WeakMap<ConformanceHarness, BizflyHarness>()

/** Records which Bizfly Cloud harness belongs to a harness of the conformance suite. */
export const keepBizflyHarness = (harness: ConformanceHarness, own: BizflyHarness): void =>
  void harnesses.set(harness, own)

const ownHarness = (harness: ConformanceHarness): BizflyHarness => {
  const own = harnesses.get(harness)
  if (own === undefined) throw new Error('this harness belongs to another provider')
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

/** Launches a claim, and writes the fields that the core would write. */
const launched = async (
  harness: ConformanceHarness,
  name: string,
): Promise<{ readonly claim: NodeClaim; readonly view: InstanceView }> => {
  const view = await create(harness, await harness.claim(name))
  const { annotations, providerID, imageID } = view
  const body = { metadata: { annotations, labels: view.labels } }
  await harness.client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body })
  const claim = await harness.client.patch(
    karpenterKinds.NodeClaim,
    { name },
    { type: 'merge', body: { status: { providerID, imageID } } },
    { subresource: 'status' },
  )
  await harness.clock.advance(100)
  return { claim, view }
}

const drift = (harness: ConformanceHarness, { metadata }: NodeClaim): Promise<string | undefined> =>
  harness.client
    .get(karpenterKinds.NodeClaim, { name: metadata.name })
    .then((claim) => harness.provider.isDrifted(claim, never))

/** Returns the server of a description. */
const harnessServer = (harness: ConformanceHarness, { providerID }: InstanceView) =>
  ownHarness(harness).account.servers.get(serverIdIn(providerID) ?? '')

const driftChecks: Checks = {
  C03: async (harness) => {
    const { view } = await launched(harness, 'a')
    const nodeClass = await ownHarness(harness).nodeClass()
    const hash = nodeClass.metadata.annotations?.[nodeClassHashAnnotations.hash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toEqual({
      [nodeClassHashAnnotations.hash]: hash,
      [nodeClassHashAnnotations.version]: 'v1',
    })
  },
  H02: async (harness) => {
    const { claim } = await launched(harness, 'a')
    await ownHarness(harness).change({ diskTypes: ['HDD', 'SSD'], template: 'other', zones: ['HN2'] })
    expect(await drift(harness, claim)).toBeUndefined()
    await ownHarness(harness).change({ diskTypes: ['HDD'] })
    expect(await drift(harness, claim)).toBe('NodeClassDrift')
    await ownHarness(harness).change({ diskTypes: ['SSD'], rootDiskSize: 41 })
    expect(await drift(harness, claim)).toBe('NodeClassDrift')
  },
  H03: async (harness) => {
    const { claim } = await launched(harness, 'a')
    const metadata = {
      annotations: { [nodeClassHashAnnotations.hash]: '1', [nodeClassHashAnnotations.version]: 'v0' },
    }
    await harness.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    expect(await drift(harness, claim)).toBeUndefined()
    await harness.client.patch(bizflyNodeClassKind, { name: 'default' }, { type: 'merge', body: { metadata } })
    await harness.clock.advance(1_000)
    const migrated = await harness.client.get(karpenterKinds.NodeClaim, { name: 'a' })
    const nodeClass = await ownHarness(harness).nodeClass()
    expect(nodeClass.metadata.annotations?.[nodeClassHashAnnotations.version]).toBe('v1')
    expect(migrated.metadata.annotations).toMatchObject(nodeClass.metadata.annotations ?? { none: '' })
    expect(await drift(harness, claim)).toBeUndefined()
  },
  H04: async (harness) => {
    const { claim } = await launched(harness, 'a')
    const { account, clock } = ownHarness(harness)
    account.versions = account.versions.map((each) => ({ ...each, worker_image_id: `new-${each.worker_image_id}` }))
    await clock.advance(10 * MINUTE)
    expect(await drift(harness, claim)).toBe('ImageDrift')
  },
  H07: async (harness) => {
    const { claim } = await launched(harness, 'a')
    const { cloud, clock } = ownHarness(harness)
    cloud.fail('versions', { refusal: { status: 500, message: 'Internal Server Error' } })
    await clock.advance(10 * MINUTE)
    expect(await failureOf(drift(harness, claim))).toBeInstanceOf(Error)
  },
}

const launchChecks: Checks = {
  C20: async (harness) => {
    ownHarness(harness).account.quota = 0
    const error = await failureOf(harness.provider.create(await harness.claim('a'), never))
    expect([isInsufficientCapacity(error), String(error)]).toEqual([true, expect.stringContaining('Quota exceeded')])
    const types = await harness.provider.instanceTypes(harness.pool(), never)
    const out = types.flatMap(({ offerings }) => offerings.filter(({ available }) => !available))
    expect(out).toHaveLength(5)
  },
  C24: async (harness) => {
    const { account } = ownHarness(harness)
    account.failing = [{ zone: 'HN1' }]
    const claim = await harness.claim('a')
    expect(isInsufficientCapacity(await failureOf(harness.provider.create(claim, never)))).toBe(true)
    await harness.clock.advance(MINUTE)
    expect([account.servers.living(), [...account.disks]]).toEqual([[], []])
    expect((await create(harness, claim)).labels[labels.zone]).toBe('HN2')
  },
  C26: async (harness) => {
    const { view } = await launched(harness, 'a')
    const { cloud } = ownHarness(harness)
    const [request] = cloud.requests.filter(({ call }) => call === 'launchServer')
    expect(JSON.stringify(request?.body)).toContain('#!/bin/bash\\n/opt/bizfly-kubernetes-engine/bootstrap.sh')
    expect(harnessServer(harness, view)?.metadata).toMatchObject({
      ...{ bizfly_cloud_service: 'kubernetes_engine', bke_cluster_token: CLUSTER_TOKEN, bke_node_network_id: NETWORK },
      ...{ bke_node_everywhere: 'false', bke_node_localdns: 'false', [METADATA.managed]: 'true' },
    })
    expect(JSON.stringify(request?.body)).not.toContain(PASSWORD)
  },
  T08: async (harness) => {
    await ownHarness(harness).change({ zones: ['HN2'] })
    const zones = (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
      type.offerings.map((offering) => offeringCoordinates(type, offering).zone),
    )
    expect(new Set(zones)).toEqual(new Set(['HN2']))
  },
  D08: async (harness) => {
    const { claim } = await launched(harness, 'a')
    await harness.provider.delete(claim, never)
    const { account } = ownHarness(harness)
    expect([[...account.disks], account.left]).toEqual([[], ['a']])
  },
}

const controllerChecks: Checks = {
  B08: async (harness) => {
    const { account, clock, nodeClass } = ownHarness(harness)
    const status = async (type: string) => {
      const condition = findCondition(await nodeClass(), type)
      return [condition?.status, condition?.reason]
    }
    const { networks } = account
    account.networks = []
    await clock.advance(6 * MINUTE)
    expect(await status('NetworksReady')).toEqual(['False', 'NetworksNotFound'])
    expect((await status('Ready'))[0]).toBe('False')
    account.networks = networks
    await clock.advance(2 * MINUTE)
    expect((await status('Ready'))[0]).toBe('True')
  },
  X04: async (harness) => {
    await launched(harness, 'a')
    const { cloud } = ownHarness(harness)
    cloud.revoke()
    await launched(harness, 'b')
    expect(cloud.count('token')).toBeGreaterThan(1)
    expect(cloud.account.servers.living()).toHaveLength(2)
  },
  X05: async (harness) => {
    await launched(harness, 'a')
    harness.cloud.fail('launch', 'auth')
    await failureOf(harness.provider.create(await harness.claim('b'), never))
    const { cloud } = ownHarness(harness)
    cloud.password = 'changed'
    cloud.revoke()
    await failureOf(harness.provider.list(never))
    const written = JSON.stringify([
      harness.events.events,
      harness.log,
      await harness.client.list(karpenterKinds.NodeClaim),
    ])
    expect(written).not.toContain('never-written')
  },
}

/** Checks that only this provider's package can implement. */
export const ownChecks: Checks = { ...driftChecks, ...launchChecks, ...controllerChecks }
