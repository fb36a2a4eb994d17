import { annotations, karpenterKinds, kinds, type NodeClaim, type Pod, taints } from '@kerf/apis'
import type { Interceptor } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { apiError, createInstantPodOn, type Harness } from '../../testing/harness/index.ts'
import { budget, everything, minutes, SLOW, withNode } from '../../testing/leaving-node.ts'

describe('the deadline of terminationGracePeriod', () => {
  const grace = (seconds: number): { spec: Partial<Pod['spec']> } => ({
    spec: { terminationGracePeriodSeconds: seconds },
  })
  const shy = { annotations: { [annotations.doNotDisrupt]: 'true', [SLOW]: '1h' } }

  test('is written once, when the claim is deleted, and not for a claim without the field', async () => {
    const { harness, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await createInstantPodOn(harness, 'shy', name, { metadata: shy, ...grace(60) })
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(1_000)
    const claim = (await harness.readClaim()) as NodeClaim
    const deadline = claim.metadata.annotations?.[annotations.terminationTimestamp] ?? ''
    expect(Date.parse(deadline) - Date.parse(claim.metadata.deletionTimestamp ?? '')).toBe(300_000)
    expect(harness.messages('TerminationGracePeriodExpiring')[0]).toBe(`All pods will be deleted by ${deadline}`)
    const other = await withNode()
    await other.harness.delete(kinds.Node, other.node)
    await other.harness.pass(1_000)
    expect((await other.harness.readClaim())?.metadata.annotations?.[annotations.terminationTimestamp]).toBeUndefined()
  })

  test('counts from the deletion, even if it is written a minute later', async () => {
    const { harness, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await createInstantPodOn(harness, 'shy', name, { metadata: shy, ...grace(60) })
    await harness.pass(500)
    harness.fault = ({ verb, kind }, when) =>
      when === 'before' && verb === 'patch' && kind?.kind === karpenterKinds.NodeClaim.kind ? apiError(500) : undefined
    await harness.delete(kinds.Node, node)
    await harness.pass(60_000)
    expect((await harness.readClaim())?.metadata.annotations?.[annotations.terminationTimestamp]).toBeUndefined()
    harness.fault = undefined
    await harness.pass(60_000)
    const { metadata } = (await harness.readClaim()) as NodeClaim
    const deadline = metadata.annotations?.[annotations.terminationTimestamp] ?? ''
    expect(Date.parse(deadline) - Date.parse(metadata.deletionTimestamp ?? '')).toBe(300_000)
  })

  test('is not changed if it exists', async () => {
    const { harness, node } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    const claim = (await harness.readClaim()) as NodeClaim
    await harness.patch(karpenterKinds.NodeClaim, claim, {
      metadata: { annotations: { [annotations.terminationTimestamp]: '2026-01-01T00:00:01Z' } },
    })
    await harness.delete(kinds.Node, node)
    await harness.pass(1_000)
    expect((await harness.readClaim())?.metadata.annotations?.[annotations.terminationTimestamp]).toBe(
      '2026-01-01T00:00:01Z',
    )
  })

  test('a pod with a grace period of 60 s is kept at 90 s, and deleted at 240 s of a 300 s deadline', async () => {
    const { harness, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await createInstantPodOn(harness, 'shy', name, { metadata: shy, ...grace(60) })
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(90_000)
    expect(((await harness.read(kinds.Pod, 'shy', 'default')) as Pod).metadata.deletionTimestamp).toBeUndefined()
    await harness.pass(148_000)
    expect(((await harness.read(kinds.Pod, 'shy', 'default')) as Pod).metadata.deletionTimestamp).toBeUndefined()
    await harness.pass(5_000)
    const deleted = (await harness.read(kinds.Pod, 'shy', 'default')) as Pod
    expect(deleted.metadata.deletionTimestamp).toBeDefined()
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeGreaterThanOrEqual(55)
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeLessThanOrEqual(60)
    expect(harness.messages('Disrupted')[0]).toContain(
      'This bypasses the PDB of the pod and the do-not-disrupt annotation',
    )
    await harness.pass(70_000)
    expect(await harness.nodes()).toEqual([])
  })

  test('a pod whose grace period is as long as the whole deadline is deleted at once, despite its PDB', async () => {
    const { harness, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await budget(harness, 'block', 'web')
    await createInstantPodOn(harness, 'web', name, {
      metadata: { labels: { app: 'web' }, annotations: { [SLOW]: '1h' } },
      ...grace(300),
    })
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(4_000)
    const deleted = (await harness.read(kinds.Pod, 'web', 'default')) as Pod
    expect(deleted.metadata.deletionGracePeriodSeconds).toBeGreaterThan(290)
    expect(harness.messages('Disrupted')).not.toEqual([])
  })

  test('a critical pod that is due does not wait for an ordinary pod that a PDB blocks', async () => {
    const { harness, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    await budget(harness, 'block', 'web')
    await createInstantPodOn(harness, 'web', name, { metadata: { labels: { app: 'web' } }, ...grace(10) })
    await createInstantPodOn(harness, 'critical', name, {
      spec: { terminationGracePeriodSeconds: 300, priorityClassName: 'system-cluster-critical' },
    })
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(10_000)
    expect(await harness.podNames()).toEqual(['web'])
  })

  test('a pod that is terminating with too long a grace period is deleted again with a shorter one', async () => {
    const { harness, node, name } = await withNode({}, { spec: { terminationGracePeriod: '210s' } })
    await createInstantPodOn(harness, 'slow', name, { metadata: { annotations: { [SLOW]: '2h' } }, ...grace(6_000) })
    await harness.pass(500)
    await harness.admin.delete(kinds.Pod, { name: 'slow', namespace: 'default' })
    await harness.delete(kinds.Node, node)
    await harness.pass(3_000)
    const shortened = (await harness.read(kinds.Pod, 'slow', 'default'))?.metadata.deletionGracePeriodSeconds
    expect(shortened).toBeGreaterThan(200)
    expect(shortened).toBeLessThanOrEqual(210)
  })

  test('after the deadline a pod gets one second, never zero', async () => {
    const { harness, node, name } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    const granted: (number | undefined)[] = []
    const past = { metadata: { annotations: { [annotations.terminationTimestamp]: '2025-12-31T23:00:00Z' } } }
    await harness.patch(karpenterKinds.NodeClaim, (await harness.readClaim()) as NodeClaim, past)
    await createInstantPodOn(harness, 'late', name, { metadata: { annotations: { [SLOW]: '1h' } }, ...grace(30) })
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    for (let step = 0; step < 20; step++) {
      await harness.pass(100)
      granted.push((await harness.read(kinds.Pod, 'late', 'default'))?.metadata.deletionGracePeriodSeconds)
    }
    expect(granted.filter((seconds) => seconds !== undefined)).toContain(1)
    expect(granted).not.toContain(0)
  })

  test('an invalid deadline stops the termination with an error until it is corrected', async () => {
    const { harness, node } = await withNode({}, { spec: { terminationGracePeriod: '300s' } })
    const set = async (value: string) =>
      await harness.patch(karpenterKinds.NodeClaim, (await harness.readClaim()) as NodeClaim, {
        metadata: { annotations: { [annotations.terminationTimestamp]: value } },
      })
    await set('soon')
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(minutes(2))
    expect(await harness.nodes()).toHaveLength(1)
    expect((await harness.node()).spec.taints ?? []).not.toContainEqual(taints.disrupted)
    expect(harness.log.messages('error')).toContain('Reconciler error')
    expect(harness.messages('FailedDraining')).toContain(
      `Failed to drain node, annotation ${annotations.terminationTimestamp} of nodeclaim ${(await harness.readClaim())?.metadata.name} is "soon", not an RFC 3339 time; correct or remove it`,
    )
    await set('2026-01-01T01:00:00Z')
    await harness.pass(30_000)
    expect(await harness.nodes()).toEqual([])
  })
})

describe('volumes', () => {
  /** Makes every deletion of a VolumeAttachment fail, so that volumes stay attached. */
  const clusterInterceptor: Interceptor = {
    before: ({ verb, kind }) => {
      if (verb === 'delete' && kind?.kind === 'VolumeAttachment') throw apiError(500)
    },
  }
  const attach = async (harness: Harness, nodeName: string, volume = 'pv') => {
    await harness.admin.create(kinds.VolumeAttachment, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: `va-${volume}` },
      spec: { attacher: 'csi.example.com', nodeName, source: { persistentVolumeName: volume } },
    })
  }

  test('the node waits for its attached volumes', async () => {
    const { harness, node, name } = await withNode({ clusterInterceptor })
    await attach(harness, name)
    await harness.delete(kinds.Node, node)
    await harness.pass(minutes(2))
    expect(await harness.condition('VolumesDetached')).toBe('Unknown AwaitingVolumeDetachment')
    expect(harness.messages('AwaitingVolumeDetachment')[0]).toBe('Awaiting deletion of bound volumeattachments (va-pv)')
    await harness.admin.delete(kinds.VolumeAttachment, { name: 'va-pv' })
    await harness.pass(5_000)
    expect(await harness.nodes()).toEqual([])
  })

  test('the node does not wait for volumes of pods that stay', async () => {
    const { harness, node, name } = await withNode({ clusterInterceptor })
    await harness.admin.create(kinds.PersistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { volumeName: 'pv', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
    await createInstantPodOn(harness, 'stays', name, {
      spec: { ...everything, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
    })
    await attach(harness, name)
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(10_000)
    expect(await harness.nodes()).toEqual([])
  })

  test('the node does not wait for volumes after the deadline', async () => {
    const { harness, node, name } = await withNode(
      { clusterInterceptor, kwok: { instanceTerminationDelay: 30_000 } },
      { spec: { terminationGracePeriod: '60s' } },
    )
    await attach(harness, name)
    await harness.delete(kinds.Node, node)
    await harness.pass(58_000)
    expect(await harness.condition('VolumesDetached')).toBe('Unknown AwaitingVolumeDetachment')
    await harness.pass(5_000)
    expect(await harness.condition('VolumesDetached')).toBe('False TerminationGracePeriodElapsed')
    await harness.pass(40_000)
    expect(await harness.nodes()).toEqual([])
  })
})
