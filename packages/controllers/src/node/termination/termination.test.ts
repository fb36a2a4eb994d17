import { finalizers, karpenterKinds, kinds, labels, type NodeClaim, taints } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import {
  alteredProvider,
  createClaim,
  createInitializedClaim,
  createInstantPodOn,
  lifecycleHarness,
} from '../../testing/harness/index.ts'
import { budget, minutes, SLOW, withNode } from '../../testing/leaving-node.ts'

describe('a node is deleted', () => {
  test('first it is cordoned and drained, then its instance is terminated, and finally its finalizer and claim are removed', async () => {
    const { harness, node, name } = await withNode({ kwok: { instanceTerminationDelay: 3_000 } })
    await createInstantPodOn(harness, 'web', name, {
      metadata: { annotations: { [SLOW]: '2s' } },
      spec: { terminationGracePeriodSeconds: 30 },
    })
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(500)
    const leaving = await harness.node()
    expect(leaving.spec.taints).toContainEqual(taints.disrupted)
    expect(leaving.metadata.labels?.[labels.excludeFromLoadBalancers]).toBe('karpenter')
    expect((await harness.readClaim())?.metadata.deletionTimestamp).toBeDefined()
    expect(await harness.condition('Drained')).toBe('Unknown Draining')
    expect(harness.messages('FailedDraining')[0]).toBe('Failed to drain node, 1 pods are waiting to be evicted')
    await harness.pass(7_000)
    expect(await harness.podNames()).toEqual([])
    expect(await harness.condition('Drained')).toBe('True Drained')
    expect(await harness.condition('VolumesDetached')).toBe('True VolumesDetached')
    expect(await harness.condition('InstanceTerminating')).toBe('True InstanceTerminating')
    expect(await harness.condition('Ready')).toBe('True Ready')
    expect((await harness.node()).metadata.finalizers).toEqual([finalizers.termination])
    await harness.pass(6_000)
    expect(await harness.nodes()).toEqual([])
    expect(await harness.readClaim()).toBeUndefined()
    expect(await harness.metric('karpenter_nodes_terminated_total', { nodepool: 'default' })).toBe(1)
    expect(await harness.metric('karpenter_nodes_drained_total')).toBe(1)
    expect(await harness.metric('karpenter_nodes_termination_duration_seconds_count')).toBe(1)
    expect(await harness.metric('karpenter_nodes_lifetime_duration_seconds_count')).toBe(1)
    expect(await harness.metric('karpenter_nodeclaims_terminated_total', { capacity_type: 'spot' })).toBe(1)
    expect(await harness.metric('karpenter_nodeclaims_instance_termination_duration_seconds_count')).toBe(1)
    expect(await harness.metric('karpenter_nodeclaims_termination_duration_seconds_count')).toBe(1)
    expect(await harness.metric('karpenter_pods_drained_total', { reason: 'Forceful Termination' })).toBe(1)
    expect(harness.log.messages('error')).toEqual([])
  })

  test('the drain takes five seconds even if the node is empty', async () => {
    const { harness, node } = await withNode()
    await harness.delete(kinds.Node, node)
    await harness.pass(4_800)
    expect(await harness.condition('Drained')).toBe('Unknown Draining')
    await harness.pass(1_600)
    expect(await harness.nodes()).toEqual([])
  })

  test('a node without a claim is drained and loses its finalizer at once', async () => {
    const { harness, node, name } = await withNode()
    harness.kill()
    await harness.patch(karpenterKinds.NodeClaim, (await harness.readClaim()) as NodeClaim, {
      metadata: { finalizers: null },
    })
    await harness.admin.delete(karpenterKinds.NodeClaim, { name: 'a' }, { propagationPolicy: 'Orphan' })
    await createInstantPodOn(harness, 'web', name)
    await harness.delete(kinds.Node, node)
    harness.start()
    await harness.pass(3_000)
    expect(await harness.nodes()).toEqual([])
    expect(await harness.podNames()).toEqual([])
  })

  test('a node with two claims for its provider ID is treated like a node without a claim', async () => {
    const { harness, node } = await withNode()
    await createClaim(harness, 'b', {
      spec: { nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } },
    })
    await harness.pass(3_000)
    const b = (await harness.readClaim('b')) as NodeClaim
    await harness.patch(karpenterKinds.NodeClaim, b, { status: { providerID: node.spec.providerID } }, 'status')
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(3_000)
    expect(await harness.read(kinds.Node, node.metadata.name)).toBeUndefined()
    expect(await harness.isStaying('a')).toBe(true)
  })

  test('an unmanaged node is not changed', async () => {
    const harness = await lifecycleHarness()
    const foreign = await harness.admin.create(
      kinds.Node,
      node('foreign', { metadata: { finalizers: [finalizers.termination] } }),
    )
    await harness.delete(kinds.Node, foreign)
    await harness.pass(10_000)
    expect((await harness.node()).spec.taints ?? []).not.toContainEqual(taints.disrupted)
  })

  test('many nodes at once do not affect each other', async () => {
    const harness = await lifecycleHarness()
    for (const name of ['a', 'b', 'c', 'd']) await createInitializedClaim(harness, name)
    for (const node of await harness.nodes()) {
      await createInstantPodOn(harness, `pod-${node.metadata.name}`, node.metadata.name)
      await harness.delete(kinds.Node, node)
    }
    await harness.pass(15_000)
    expect(await harness.nodes()).toEqual([])
    expect(await harness.podNames()).toEqual([])
    for (const name of ['a', 'b', 'c', 'd']) expect(await harness.readClaim(name)).toBeUndefined()
  })

  test('a taint of the same key with another effect is replaced', async () => {
    const { harness, node } = await withNode()
    await harness.patch(kinds.Node, node, { spec: { taints: [{ key: taints.disrupted.key, effect: 'NoExecute' }] } })
    await harness.delete(kinds.Node, await harness.node())
    await harness.pass(500)
    const found = (await harness.node()).spec.taints?.filter(({ key }) => key === taints.disrupted.key)
    expect(found).toEqual([taints.disrupted])
  })

  test('the finalizer of another program stays, so the node is not deleted', async () => {
    const { harness, node } = await withNode()
    await harness.patch(kinds.Node, node, { metadata: { finalizers: [finalizers.termination, 'example.com/mine'] } })
    await harness.delete(kinds.Node, await harness.node())
    await harness.pass(15_000)
    expect((await harness.node()).metadata.finalizers).toEqual(['example.com/mine'])
    expect(await harness.metric('karpenter_nodes_terminated_total')).toBe(1)
  })
})

describe('the instance', () => {
  test('if it is gone while the node is not ready, the node loses its finalizer during the drain', async () => {
    const { harness, node, name } = await withNode({
      provider: (kwok) =>
        alteredProvider(kwok, { get: () => Promise.reject(new NodeClaimNotFoundError('it is gone')) }),
    })
    await budget(harness, 'block', 'web')
    await createInstantPodOn(harness, 'web', name, { metadata: { labels: { app: 'web' } } })
    await harness.pass(500)
    await harness.delete(kinds.Node, node)
    await harness.pass(20_000)
    // The drain of a ready node continues even if its instance is gone.
    expect(await harness.nodes()).toHaveLength(1)
    await harness.patch(kinds.Node, await harness.node(), {
      metadata: { annotations: { 'karpenter.kwok.sh/kubelet': 'stopped' } },
    })
    await harness.pass(minutes(2))
    expect(await harness.nodes()).toEqual([])
  })

  test('an error of the provider is retried', async () => {
    const { harness, node } = await withNode()
    harness.outages.failNext('terminate', new Error('the cloud is down'))
    await harness.delete(kinds.Node, node)
    await harness.pass(5_500)
    await harness.pass(10_000)
    expect(await harness.nodes()).toEqual([])
    expect(await harness.readClaim()).toBeUndefined()
    expect(harness.log.messages('error')).toContain('Reconciler error')
  })
})
