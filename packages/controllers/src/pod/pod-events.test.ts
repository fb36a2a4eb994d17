import { karpenterKinds, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { createInitializedClaim, createInstantPodOn, type Harness, lifecycleHarness } from '../testing/harness/index.ts'

const lastEvent = async (harness: Harness): Promise<number | undefined> => {
  const text = (await harness.readClaim())?.status?.lastPodEventTime
  return text === undefined ? undefined : Date.parse(text)
}

describe('the time of the last pod event', () => {
  test('is written when a pod is bound, finishes or leaves, at most every ten seconds', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness)
    const name = (await harness.node()).metadata.name
    expect(await lastEvent(harness)).toBeUndefined()
    const first = await createInstantPodOn(harness, 'first', name)
    await harness.pass(1_000)
    const at = await lastEvent(harness)
    expect(at).toBeDefined()
    await harness.pass((at ?? 0) + 9_000 - harness.clock.now())
    await createInstantPodOn(harness, 'second', name)
    await harness.pass(500)
    expect(await lastEvent(harness)).toBe(at)
    await harness.pass(1_500)
    await harness.patch(kinds.Pod, first, { status: { phase: 'Succeeded' } }, 'status')
    await harness.pass(1_000)
    const finished = (await lastEvent(harness)) ?? 0
    expect(finished).toBeGreaterThan(at ?? 0)
    await harness.pass(30_000)
    await harness.admin.delete(kinds.Pod, { name: 'second', namespace: 'default' }, { gracePeriodSeconds: 5 })
    await harness.pass(1_000)
    expect(await lastEvent(harness)).toBeGreaterThan(finished)
  })

  test('is written again if the stored time is in the future because of a wrong clock', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness)
    const future = new Date(harness.clock.now() + 3_600_000).toISOString()
    const claim = await harness.readClaim()
    if (claim === undefined) throw new Error('no claim')
    await harness.patch(karpenterKinds.NodeClaim, claim, { status: { lastPodEventTime: future } }, 'status')
    await harness.pass(1_000)
    await createInstantPodOn(harness, 'web', (await harness.node()).metadata.name)
    await harness.pass(1_000)
    expect(await lastEvent(harness)).toBeLessThanOrEqual(harness.clock.now())
  })

  const restart = async (harness: Harness, work: () => Promise<unknown> = async () => {}): Promise<void> => {
    await harness.pass(60_000)
    harness.kill()
    await work()
    await harness.pass(60_000)
    harness.start()
    await harness.pass(2_000)
  }
  const scheduledAt = (at: number): object => {
    const lastTransitionTime = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
    return { status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime }] } }
  }

  test('is not written after a restart for pods that were bound before', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness)
    const web = await createInstantPodOn(harness, 'web', (await harness.node()).metadata.name)
    await harness.patch(kinds.Pod, web, scheduledAt(harness.clock.now()), 'status')
    await harness.pass(1_000)
    const before = (await lastEvent(harness)) ?? 0
    await restart(harness)
    expect(await lastEvent(harness)).toBe(before)
  })

  test('is written after a restart for a pod that was bound in the meantime, and for a pod without a time', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness)
    const { name } = (await harness.node()).metadata
    await createInstantPodOn(harness, 'web', name)
    await harness.pass(1_000)
    const before = (await lastEvent(harness)) ?? 0
    await restart(harness)
    const after = (await lastEvent(harness)) ?? 0
    expect(after).toBeGreaterThan(before)
    const web = await harness.admin.get(kinds.Pod, { name: 'web', namespace: 'default' })
    await harness.patch(kinds.Pod, web, scheduledAt(before), 'status')
    await restart(harness, async () => {
      const unseen = await createInstantPodOn(harness, 'unseen', name)
      await harness.patch(kinds.Pod, unseen, scheduledAt(harness.clock.now()), 'status')
    })
    expect(await lastEvent(harness)).toBeGreaterThan(after)
  })

  test('is not written for daemon pods, or for pods on nodes without a claim', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness)
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
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: daemonSet.metadata.uid ?? '' }
    await createInstantPodOn(harness, 'daemon', name, { metadata: { ownerReferences: [owner] } })
    await createInstantPodOn(harness, 'elsewhere', 'no-such-node')
    await harness.pass(1_000)
    expect(await lastEvent(harness)).toBeUndefined()
    expect(harness.log.messages('error')).toEqual([])
  })
})
