import { annotations, karpenterKinds, kinds, type NodePool } from '@kerf/apis'
import { done, type Outcome, retryAfter } from '@kerf/runtime'
import { nodeClaim, nodeClassRef, nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualDeps } from '../testing/by-hand/manual-deps.ts'
import { createClaim, createInitializedClaim, createInstantPodOn, lifecycleHarness } from '../testing/harness/index.ts'
import { expiration, expiryTime } from './expiration.ts'

const hours = (count: number): number => count * 3_600_000

describe('expiration', () => {
  test('a claim is deleted when its expireAfter has passed, and its reschedulable pods are counted', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness, 'a', { spec: { expireAfter: '2h', terminationGracePeriod: '1h' } })
    const name = (await harness.node()).metadata.name
    const daemonSet = await harness.admin.create(kinds.DaemonSet, {
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
      await createInstantPodOn(harness, pod, name, {
        metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
      })
    }
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: daemonSet.metadata.uid ?? '' }
    await createInstantPodOn(harness, 'daemon', name, { metadata: { ownerReferences: [owner] } })
    await harness.pass(hours(1.99))
    expect(await harness.isStaying()).toBe(true)
    await harness.pass(hours(0.02))
    expect((await harness.readClaim())?.metadata.deletionTimestamp).toBeDefined()
    const series = { reason: 'expired', nodepool: 'default', capacity_type: 'spot', termination_mode: 'eventual' }
    expect(await harness.metric('karpenter_nodeclaims_disrupted_total', series)).toBe(1)
    expect(await harness.metric('karpenter_pods_disruption_initiated_total', series)).toBe(2)
    await harness.pass(60_000)
    expect(await harness.metric('karpenter_nodeclaims_disrupted_total', series)).toBe(1)
  })

  test('expireAfter counts from the creation of the claim, not of the node', async () => {
    const harness = await lifecycleHarness({ registrationDelay: '10m' })
    await createClaim(harness, 'a', { spec: { expireAfter: '12m' } })
    await harness.pass(11 * 60_000)
    expect(await harness.nodes()).toHaveLength(1)
    await harness.pass(50_000)
    expect(await harness.isStaying('a')).toBe(true)
    await harness.pass(20_000)
    expect(await harness.isStaying('a')).toBe(false)
    await harness.pass(2 * 60_000)
    expect(await harness.readClaim('a')).toBeUndefined()
  })

  test('claims with expireAfter Never and claims of other providers are not deleted', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness, 'a', { spec: { expireAfter: 'Never' } })
    await createClaim(harness, 'b', {
      spec: { expireAfter: '1h', nodeClassRef: { ...nodeClassRef, group: 'other.sh' } },
    })
    await harness.pass(hours(3))
    expect([await harness.isStaying('a'), await harness.isStaying('b')]).toEqual([true, true])
  })

  // The API server sets a default for expireAfter. Only a claim that was never stored can lack the field.
  test.each([
    [undefined, undefined],
    ['Never', undefined],
    ['1h', Date.parse('2026-01-01T01:00:00Z')],
  ])('with expireAfter %s a claim created at midnight expires at %s', (expireAfter, end) => {
    const claim = nodeClaim('a')
    const metadata = { ...claim.metadata, creationTimestamp: '2026-01-01T00:00:00Z' }
    const { expireAfter: _, ...spec } = claim.spec
    expect(
      expiryTime({ ...claim, metadata, spec: { ...spec, ...(expireAfter !== undefined && { expireAfter }) } }),
    ).toBe(end)
  })
})

describe('one pass over a claim that expires after an hour', () => {
  interface Situation {
    /** The age of the claim in milliseconds. */
    readonly age: number
    /** Whether the claim has no labels. */
    readonly isBare?: boolean
    readonly pool?: NodePool
    readonly problem?: string
  }

  const pass = async ({ age, isBare, pool, problem }: Situation) => {
    const deleted: unknown[] = []
    const { deps, informers, clock } = manualDeps({
      client: {
        delete: async (_kind, { name }) => {
          deleted.push(name)
        },
      },
    })
    const claim = nodeClaim('a')
    const { labels, ...metadata } = claim.metadata
    const creationTimestamp = new Date(clock.now() - age).toISOString()
    informers.put(karpenterKinds.NodeClaim, {
      ...claim,
      metadata: { ...metadata, creationTimestamp, ...(isBare !== true && labels !== undefined && { labels }) },
      spec: { ...claim.spec, expireAfter: '1h' },
    })
    if (pool !== undefined) informers.put(karpenterKinds.NodePool, pool)
    const controller = expiration({ ...deps, clock: Object.assign(clock, { problem }) })
    const outcome: Outcome = await controller.reconcile('a', new AbortController().signal)
    return { deleted, outcome }
  }
  const observing = nodePool('default', { annotations: { [annotations.mode]: 'observe' } })

  test.each<readonly [string, Situation, Outcome]>([
    ['is repeated at the end of the hour', { age: hours(1) - 1 }, retryAfter(1)],
    ['is repeated after 5 s while clocks differ', { age: hours(2), problem: 'clocks differ' }, retryAfter(5_000)],
    ['is repeated after a minute in observe mode', { age: hours(2), pool: observing }, retryAfter(60_000)],
  ])('%s', async (_what, situation, outcome) => {
    expect(await pass(situation)).toEqual({ deleted: [], outcome })
  })

  test.each<readonly [string, Situation]>([
    ['at the end of the hour', { age: hours(1) }],
    ['without a NodePool', { age: hours(2) }],
    ['without labels', { age: hours(2), isBare: true }],
  ])('deletes it %s', async (_what, situation) => {
    expect(await pass(situation)).toEqual({ deleted: ['a'], outcome: done() })
  })
})
