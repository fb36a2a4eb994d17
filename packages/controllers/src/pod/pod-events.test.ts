import { karpenterKinds, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { createInitializedClaim, createInstantPodOn, lifecycleWorld, type World } from '../testing/world/index.ts'

const lastEvent = async (world: World): Promise<number | undefined> => {
  const text = (await world.readClaim())?.status?.lastPodEventTime
  return text === undefined ? undefined : Date.parse(text)
}

describe('the time of the last pod event', () => {
  test('is written when a pod arrives, at most every ten seconds, and again when one finishes or leaves', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world)
    const name = (await world.node()).metadata.name
    expect(await lastEvent(world)).toBeUndefined()
    const first = await createInstantPodOn(world, 'first', name)
    await world.pass(1_000)
    const at = await lastEvent(world)
    expect(at).toBeDefined()
    await world.pass((at ?? 0) + 9_000 - world.clock.now())
    await createInstantPodOn(world, 'second', name)
    await world.pass(500)
    expect(await lastEvent(world)).toBe(at)
    await world.pass(1_500)
    await world.patch(kinds.Pod, first, { status: { phase: 'Succeeded' } }, 'status')
    await world.pass(1_000)
    const finished = (await lastEvent(world)) ?? 0
    expect(finished).toBeGreaterThan(at ?? 0)
    await world.pass(30_000)
    await world.admin.delete(kinds.Pod, { name: 'second', namespace: 'default' }, { gracePeriodSeconds: 5 })
    await world.pass(1_000)
    expect(await lastEvent(world)).toBeGreaterThan(finished)
  })

  test('is written again if it is in the future because of a wrong clock', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world)
    const future = new Date(world.clock.now() + 3_600_000).toISOString()
    const claim = await world.readClaim()
    if (claim === undefined) throw new Error('no claim')
    await world.patch(karpenterKinds.NodeClaim, claim, { status: { lastPodEventTime: future } }, 'status')
    await world.pass(1_000)
    await createInstantPodOn(world, 'web', (await world.node()).metadata.name)
    await world.pass(1_000)
    expect(await lastEvent(world)).toBeLessThanOrEqual(world.clock.now())
  })

  const restart = async (world: World, work: () => Promise<unknown> = async () => {}): Promise<void> => {
    await world.pass(60_000)
    world.kill()
    await work()
    await world.pass(60_000)
    world.start()
    await world.pass(2_000)
  }
  const scheduledAt = (at: number): object => {
    const lastTransitionTime = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
    return { status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime }] } }
  }

  test('a restart writes nothing for pods that arrived before', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world)
    const web = await createInstantPodOn(world, 'web', (await world.node()).metadata.name)
    await world.patch(kinds.Pod, web, scheduledAt(world.clock.now()), 'status')
    await world.pass(1_000)
    const before = (await lastEvent(world)) ?? 0
    await restart(world)
    expect(await lastEvent(world)).toBe(before)
  })

  test('after a restart a pod that arrived unseen counts, and so does a pod without a time', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world)
    const { name } = (await world.node()).metadata
    await createInstantPodOn(world, 'web', name)
    await world.pass(1_000)
    const before = (await lastEvent(world)) ?? 0
    await restart(world)
    const after = (await lastEvent(world)) ?? 0
    expect(after).toBeGreaterThan(before)
    const web = await world.admin.get(kinds.Pod, { name: 'web', namespace: 'default' })
    await world.patch(kinds.Pod, web, scheduledAt(before), 'status')
    await restart(world, async () => {
      const unseen = await createInstantPodOn(world, 'unseen', name)
      await world.patch(kinds.Pod, unseen, scheduledAt(world.clock.now()), 'status')
    })
    expect(await lastEvent(world)).toBeGreaterThan(after)
  })

  test('daemon pods, and pods on nodes without a claim, do not count', async () => {
    const world = await lifecycleWorld()
    await createInitializedClaim(world)
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
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: daemonSet.metadata.uid ?? '' }
    await createInstantPodOn(world, 'daemon', name, { metadata: { ownerReferences: [owner] } })
    await createInstantPodOn(world, 'elsewhere', 'no-such-node')
    await world.pass(1_000)
    expect(await lastEvent(world)).toBeUndefined()
    expect(world.log.messages('error')).toEqual([])
  })
})
