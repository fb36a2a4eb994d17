import { kinds } from '@kerf/apis'
import { nodeClaim, nodeClassRef } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { createClaim, createInitializedClaim, createInstantPodOn, lifecycleWorld } from '../testing/world/index.ts'
import { expiryOf } from './expiration.ts'

const hours = (count: number): number => count * 3_600_000

describe('expiration', () => {
  test('a claim is deleted when its expireAfter has passed, and its reschedulable pods are counted', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world, 'a', { spec: { expireAfter: '2h', terminationGracePeriod: '1h' } })
    const name = (await world.node()).metadata.name
    const daemonSet = await world.admin.create(kinds.DaemonSet, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'default' },
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template: {
          metadata: { labels: { app: 'agent' } },
          spec: { nodeSelector: { nowhere: 'true' }, containers: [{ name: 'main', image: 'main' }] },
        },
      },
    })
    for (const pod of ['one', 'two']) {
      await createInstantPodOn(world, pod, name, {
        metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
      })
    }
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: daemonSet.metadata.uid ?? '' }
    await createInstantPodOn(world, 'daemon', name, { metadata: { ownerReferences: [owner] } })
    await world.pass(hours(1.99))
    expect(await world.isStaying()).toBe(true)
    await world.pass(hours(0.02))
    expect((await world.readClaim())?.metadata.deletionTimestamp).toBeDefined()
    const series = { reason: 'expired', nodepool: 'default', capacity_type: 'spot', termination_mode: 'eventual' }
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', series)).toBe(1)
    expect(await world.metric('karpenter_pods_disruption_initiated_total', series)).toBe(2)
    await world.pass(60_000)
    expect(await world.metric('karpenter_nodeclaims_disrupted_total', series)).toBe(1)
  })

  test('the age of the claim counts, not that of the node', async () => {
    const world = await lifecycleWorld({ registrationDelay: '10m' })
    await createClaim(world, 'a', { spec: { expireAfter: '12m' } })
    await world.pass(11 * 60_000)
    expect(await world.nodes()).toHaveLength(1)
    await world.pass(50_000)
    expect(await world.isStaying('a')).toBe(true)
    await world.pass(20_000)
    expect(await world.isStaying('a')).toBe(false)
    await world.pass(2 * 60_000)
    expect(await world.readClaim('a')).toBeUndefined()
  })

  test('claims with Never are not deleted, nor claims of other providers', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world, 'a', { spec: { expireAfter: 'Never' } })
    await createClaim(world, 'b', {
      spec: { expireAfter: '1h', nodeClassRef: { ...nodeClassRef, group: 'other.sh' } },
    })
    await world.pass(hours(30))
    expect([await world.isStaying('a'), await world.isStaying('b')]).toEqual([true, true])
  })

  // The API server sets the default. A claim that was created differently may have no value.
  test.each([
    [undefined, undefined],
    ['Never', undefined],
    ['1h', Date.parse('2026-01-01T01:00:00Z')],
  ])('with expireAfter %s a claim created at midnight expires at %s', (expireAfter, end) => {
    const claim = nodeClaim('a')
    const metadata = { ...claim.metadata, creationTimestamp: '2026-01-01T00:00:00Z' }
    const { expireAfter: _, ...spec } = claim.spec
    expect(expiryOf({ ...claim, metadata, spec: { ...spec, ...(expireAfter !== undefined && { expireAfter }) } })).toBe(
      end,
    )
  })
})
