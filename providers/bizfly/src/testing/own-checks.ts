import { findCondition, karpenterKinds, labels } from '@kerf/apis'
import { type InstanceView, isInsufficientCapacity, offeringCoordinates } from '@kerf/provider-contract'
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
import { METADATA, nodeClassHashAnnotations, serverIdIn } from '../names.ts'
import { bizflyNodeClassKind } from '../node-class/bizfly-node-class.ts'
import type { BizflyHarness } from './bizfly-harness.ts'
import { CLUSTER_TOKEN, NETWORK, PASSWORD } from './fake-bizfly/names.ts'

const MINUTE = 60_000
/** The Bizfly Cloud harness that belongs to each harness of the conformance suite. */
export const harnesses = ownHarnesses<BizflyHarness>()

/** Returns the fake's server for an instance. */
const harnessServer = (harness: ConformanceHarness, { providerID }: InstanceView) =>
  harnesses.of(harness).account.servers.get(serverIdIn(providerID) ?? '')

const driftChecks: Checks = {
  C03: async (harness) => {
    const { view } = await launch(harness, 'a')
    const nodeClass = await harnesses.of(harness).nodeClass()
    const hash = nodeClass.metadata.annotations?.[nodeClassHashAnnotations.hash]
    expect(hash).toMatch(/^\d+$/)
    expect(view.annotations).toEqual({
      [nodeClassHashAnnotations.hash]: hash,
      [nodeClassHashAnnotations.version]: 'v1',
    })
  },
  H02: async (harness) => {
    const { claim } = await launch(harness, 'a')
    await harnesses.of(harness).change({ diskTypes: ['HDD', 'SSD'], template: 'other', zones: ['HN2'] })
    expect(await currentDrift(harness, claim)).toBeUndefined()
    await harnesses.of(harness).change({ diskTypes: ['HDD'] })
    expect(await currentDrift(harness, claim)).toBe('NodeClassDrift')
    await harnesses.of(harness).change({ diskTypes: ['SSD'], rootDiskSize: 41 })
    expect(await currentDrift(harness, claim)).toBe('NodeClassDrift')
  },
  H03: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const metadata = {
      annotations: { [nodeClassHashAnnotations.hash]: '1', [nodeClassHashAnnotations.version]: 'v0' },
    }
    await harness.client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body: { metadata } })
    expect(await currentDrift(harness, claim)).toBeUndefined()
    await harness.client.patch(bizflyNodeClassKind, { name: 'default' }, { type: 'merge', body: { metadata } })
    await harness.clock.advance(1_000)
    const migrated = await harness.client.get(karpenterKinds.NodeClaim, { name: 'a' })
    const nodeClass = await harnesses.of(harness).nodeClass()
    expect(nodeClass.metadata.annotations?.[nodeClassHashAnnotations.version]).toBe('v1')
    expect(migrated.metadata.annotations).toMatchObject(nodeClass.metadata.annotations ?? { none: '' })
    expect(await currentDrift(harness, claim)).toBeUndefined()
  },
  H04: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const { account, clock } = harnesses.of(harness)
    account.versions = account.versions.map((each) => ({ ...each, worker_image_id: `new-${each.worker_image_id}` }))
    await clock.advance(10 * MINUTE)
    expect(await currentDrift(harness, claim)).toBe('ImageDrift')
  },
  H07: async (harness) => {
    const { claim } = await launch(harness, 'a')
    const { cloud, clock } = harnesses.of(harness)
    cloud.fail('versions', { refusal: { status: 500, message: 'Internal Server Error' } })
    await clock.advance(10 * MINUTE)
    expect(await expectRejection(currentDrift(harness, claim))).toBeInstanceOf(Error)
  },
}

const launchChecks: Checks = {
  C20: async (harness) => {
    harnesses.of(harness).account.quota = 0
    const error = await expectRejection(harness.provider.create(await harness.claim('a'), never))
    expect([isInsufficientCapacity(error), String(error)]).toEqual([true, expect.stringContaining('Quota exceeded')])
    const types = await harness.provider.instanceTypes(harness.pool(), never)
    const out = types.flatMap(({ offerings }) => offerings.filter(({ available }) => !available))
    expect(out).toHaveLength(5)
  },
  C24: async (harness) => {
    const { account } = harnesses.of(harness)
    account.failing = [{ zone: 'HN1' }]
    const claim = await harness.claim('a')
    expect(isInsufficientCapacity(await expectRejection(harness.provider.create(claim, never)))).toBe(true)
    await harness.clock.advance(MINUTE)
    expect([account.servers.living(), [...account.disks]]).toEqual([[], []])
    expect((await create(harness, claim)).labels[labels.zone]).toBe('HN2')
  },
  C26: async (harness) => {
    const { view } = await launch(harness, 'a')
    const { cloud } = harnesses.of(harness)
    const [request] = cloud.requests.filter(({ call }) => call === 'launchServer')
    expect(JSON.stringify(request?.body)).toContain('#!/bin/bash\\n/opt/bizfly-kubernetes-engine/bootstrap.sh')
    expect(harnessServer(harness, view)?.metadata).toMatchObject({
      ...{ bizfly_cloud_service: 'kubernetes_engine', bke_cluster_token: CLUSTER_TOKEN, bke_node_network_id: NETWORK },
      ...{ bke_node_everywhere: 'false', bke_node_localdns: 'false', [METADATA.managed]: 'true' },
    })
    expect(JSON.stringify(request?.body)).not.toContain(PASSWORD)
  },
  T08: async (harness) => {
    await harnesses.of(harness).change({ zones: ['HN2'] })
    const zones = (await harness.provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
      type.offerings.map((offering) => offeringCoordinates(type, offering).zone),
    )
    expect(new Set(zones)).toEqual(new Set(['HN2']))
  },
  D08: async (harness) => {
    const { claim } = await launch(harness, 'a')
    await harness.provider.delete(claim, never)
    const { account } = harnesses.of(harness)
    expect([[...account.disks], account.left]).toEqual([[], ['a']])
  },
}

const controllerChecks: Checks = {
  B08: async (harness) => {
    const { account, clock, nodeClass } = harnesses.of(harness)
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
    await launch(harness, 'a')
    const { cloud } = harnesses.of(harness)
    cloud.revoke()
    await launch(harness, 'b')
    expect(cloud.count('token')).toBeGreaterThan(1)
    expect(cloud.account.servers.living()).toHaveLength(2)
  },
  X05: async (harness) => {
    await launch(harness, 'a')
    harness.cloud.fail('launch', 'auth')
    await expectRejection(harness.provider.create(await harness.claim('b'), never))
    const { cloud } = harnesses.of(harness)
    cloud.password = 'changed'
    cloud.revoke()
    await expectRejection(harness.provider.list(never))
    const written = JSON.stringify([
      harness.events.events,
      harness.log,
      await harness.client.list(karpenterKinds.NodeClaim),
    ])
    expect(written).not.toContain('never-written')
  },
}

/** The checks that this package implements itself. */
export const ownChecks: Checks = { ...driftChecks, ...launchChecks, ...controllerChecks }
