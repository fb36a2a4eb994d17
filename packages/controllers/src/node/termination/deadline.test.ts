import { annotations, karpenterKinds, kinds, type NodeClaim, type Pod, taints } from '@kerf/apis'
import type { Interceptor } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { budget, everything, minutes, SLOW, withNode } from '../../testing/leaving-node.ts'
import { apiError, createInstantPodOn, type World } from '../../testing/world/index.ts'

describe('the deadline of terminationGracePeriod', () => {
  const grace = (seconds: number): { spec: Partial<Pod['spec']> } => ({
    spec: { terminationGracePeriodSeconds: seconds },
  })
  const shy = { annotations: { [annotations.doNotDisrupt]: 'true', [SLOW]: '1h' } }

  test('is written once, when the claim is deleted; a claim without the field has none', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await createInstantPodOn(world, 'shy', name, { metadata: shy, ...grace(60) })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(1_000)
    const claim = (await world.readClaim()) as NodeClaim
    const deadline = claim.metadata.annotations?.[annotations.terminationTimestamp] ?? ''
    expect(Date.parse(deadline) - Date.parse(claim.metadata.deletionTimestamp ?? '')).toBe(300_000)
    expect(world.messages('TerminationGracePeriodExpiring')[0]).toBe(`All pods will be deleted by ${deadline}`)
    const other = await withNode()
    await other.world.delete(kinds.Node, other.node)
    await other.world.pass(1_000)
    expect((await other.world.readClaim())?.metadata.annotations?.[annotations.terminationTimestamp]).toBeUndefined()
  })

  test('it counts from the deletion, also if it is written a minute later', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await createInstantPodOn(world, 'shy', name, { metadata: shy, ...grace(60) })
    await world.pass(500)
    world.fault = ({ verb, kind }, when) =>
      when === 'before' && verb === 'patch' && kind?.kind === karpenterKinds.NodeClaim.kind ? apiError(500) : undefined
    await world.delete(kinds.Node, node)
    await world.pass(60_000)
    expect((await world.readClaim())?.metadata.annotations?.[annotations.terminationTimestamp]).toBeUndefined()
    world.fault = undefined
    await world.pass(60_000)
    const { metadata } = (await world.readClaim()) as NodeClaim
    const deadline = metadata.annotations?.[annotations.terminationTimestamp] ?? ''
    expect(Date.parse(deadline) - Date.parse(metadata.deletionTimestamp ?? '')).toBe(300_000)
  })

  test('an existing deadline is not changed', async () => {
    const { world, node } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    const claim = (await world.readClaim()) as NodeClaim
    await world.patch(karpenterKinds.NodeClaim, claim, {
      metadata: { annotations: { [annotations.terminationTimestamp]: '2026-01-01T00:00:01Z' } },
    })
    await world.delete(kinds.Node, node)
    await world.pass(1_000)
    expect((await world.readClaim())?.metadata.annotations?.[annotations.terminationTimestamp]).toBe(
      '2026-01-01T00:00:01Z',
    )
  })

  test('a pod with 60 s of a 300 s period is kept at 90 s and deleted at 240 s, with the remaining time', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await createInstantPodOn(world, 'shy', name, { metadata: shy, ...grace(60) })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(90_000)
    expect(((await world.read(kinds.Pod, 'shy', 'default')) as Pod).metadata.deletionTimestamp).toBeUndefined()
    await world.pass(148_000)
    expect(((await world.read(kinds.Pod, 'shy', 'default')) as Pod).metadata.deletionTimestamp).toBeUndefined()
    await world.pass(5_000)
    const deleted = (await world.read(kinds.Pod, 'shy', 'default')) as Pod
    expect(deleted.metadata.deletionTimestamp).toBeDefined()
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeGreaterThanOrEqual(55)
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeLessThanOrEqual(60)
    expect(world.messages('Disrupted')[0]).toContain(
      'This bypasses the PDB of the pod and the do-not-disrupt annotation',
    )
    await world.pass(70_000)
    expect(await world.nodes()).toEqual([])
  })

  test('a pod whose grace period is the whole time is deleted at once, despite its budget', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await budget(world, 'block', 'web')
    await createInstantPodOn(world, 'web', name, {
      metadata: { labels: { app: 'web' }, annotations: { [SLOW]: '1h' } },
      ...grace(300),
    })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(4_000)
    const deleted = (await world.read(kinds.Pod, 'web', 'default')) as Pod
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeGreaterThan(290)
    expect(world.messages('Disrupted')).not.toEqual([])
  })

  test('a critical pod that is due does not wait for an ordinary pod that a budget blocks', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await budget(world, 'block', 'web')
    await createInstantPodOn(world, 'web', name, { metadata: { labels: { app: 'web' } }, ...grace(10) })
    await createInstantPodOn(world, 'critical', name, {
      spec: { terminationGracePeriodSeconds: 300, priorityClassName: 'system-cluster-critical' },
    })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(10_000)
    expect(await world.podNames()).toEqual(['web'])
  })

  test('a pod that was deleted with too long a grace period is deleted again with a shorter one', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '210s' } })
    await createInstantPodOn(world, 'slow', name, { metadata: { annotations: { [SLOW]: '2h' } }, ...grace(6_000) })
    await world.pass(500)
    await world.admin.delete(kinds.Pod, { name: 'slow', namespace: 'default' })
    await world.delete(kinds.Node, node)
    await world.pass(3_000)
    const shortened = (await world.read(kinds.Pod, 'slow', 'default'))?.metadata.deletionGracePeriodSeconds
    expect(shortened).toBeGreaterThan(200)
    expect(shortened).toBeLessThanOrEqual(210)
  })

  test('after the deadline a pod gets one second, never zero', async () => {
    const { world, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    const granted: (number | undefined)[] = []
    const past = { metadata: { annotations: { [annotations.terminationTimestamp]: '2025-12-31T23:00:00Z' } } }
    await world.patch(karpenterKinds.NodeClaim, (await world.readClaim()) as NodeClaim, past)
    await createInstantPodOn(world, 'late', name, { metadata: { annotations: { [SLOW]: '1h' } }, ...grace(30) })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    for (let step = 0; step < 20; step++) {
      await world.pass(100)
      granted.push((await world.read(kinds.Pod, 'late', 'default'))?.metadata.deletionGracePeriodSeconds)
    }
    expect(granted.filter((seconds) => seconds !== undefined)).toContain(1)
    expect(granted).not.toContain(0)
  })

  test('an invalid deadline stops everything with an error, until it is corrected', async () => {
    const { world, node } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    const set = async (value: string) =>
      await world.patch(karpenterKinds.NodeClaim, (await world.readClaim()) as NodeClaim, {
        metadata: { annotations: { [annotations.terminationTimestamp]: value } },
      })
    await set('soon')
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(2))
    expect(await world.nodes()).toHaveLength(1)
    expect((await world.node()).spec.taints ?? []).not.toContainEqual(taints.disrupted)
    expect(world.log.messages('error')).toContain('Reconciler error')
    expect(world.messages('FailedDraining')).toContain(
      `Failed to drain node, annotation ${annotations.terminationTimestamp} of nodeclaim ${(await world.readClaim())?.metadata.name} is "soon", not an RFC 3339 time; correct or remove it`,
    )
    await set('2026-01-01T01:00:00Z')
    await world.pass(30_000)
    expect(await world.nodes()).toEqual([])
  })
})

describe('volumes', () => {
  /** For a world whose storage driver detaches no volume. */
  const clusterInterceptor: Interceptor = {
    before: ({ verb, kind }) => {
      if (verb === 'delete' && kind?.kind === 'VolumeAttachment') throw apiError(500)
    },
  }
  const attach = async (world: World, nodeName: string, volume = 'pv') => {
    await world.admin.create(kinds.VolumeAttachment, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: `va-${volume}` },
      spec: { attacher: 'csi.example.com', nodeName, source: { persistentVolumeName: volume } },
    })
  }

  test('attached volumes are waited for', async () => {
    const { world, node, name } = await withNode({ clusterInterceptor })
    await attach(world, name)
    await world.delete(kinds.Node, node)
    await world.pass(minutes(2))
    expect(await world.condition('VolumesDetached')).toBe('Unknown AwaitingVolumeDetachment')
    expect(world.messages('AwaitingVolumeDetachment')[0]).toBe('Awaiting deletion of bound volumeattachments (va-pv)')
    await world.admin.delete(kinds.VolumeAttachment, { name: 'va-pv' })
    await world.pass(5_000)
    expect(await world.nodes()).toEqual([])
  })

  test('volumes of pods that stay are not waited for', async () => {
    const { world, node, name } = await withNode({ clusterInterceptor })
    await world.admin.create(kinds.PersistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { volumeName: 'pv', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
    await createInstantPodOn(world, 'stays', name, {
      spec: { ...everything, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
    })
    await attach(world, name)
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(10_000)
    expect(await world.nodes()).toEqual([])
  })

  test('volumes are not waited for after the deadline', async () => {
    const { world, node, name } = await withNode(
      { clusterInterceptor, kwok: { instanceTerminationDelay: 30_000 } },
      { spec: { terminationGracePeriod: '60s' } },
    )
    await attach(world, name)
    await world.delete(kinds.Node, node)
    await world.pass(58_000)
    expect(await world.condition('VolumesDetached')).toBe('Unknown AwaitingVolumeDetachment')
    await world.pass(5_000)
    expect(await world.condition('VolumesDetached')).toBe('False TerminationGracePeriodElapsed')
    await world.pass(40_000)
    expect(await world.nodes()).toEqual([])
  })
})
