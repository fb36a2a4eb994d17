import { finalizers, karpenterKinds, kinds, labels, type NodeClaim, taints } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { budget, minutes, SLOW, withNode } from '../../testing/leaving-node.ts'
import {
  alteredProvider,
  createClaim,
  createInitializedClaim,
  createInstantPodOn,
  lifecycleWorld,
} from '../../testing/world/index.ts'

describe('a node is deleted', () => {
  test('it is cordoned and drained, its instance is terminated, and its finalizer and claim are removed last', async () => {
    const { world, node, name } = await withNode({ kwok: { instanceTerminationDelay: 3_000 } })
    await createInstantPodOn(world, 'web', name, {
      metadata: { annotations: { [SLOW]: '2s' } },
      spec: { terminationGracePeriodSeconds: 30 },
    })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(500)
    const leaving = await world.node()
    expect(leaving.spec.taints).toContainEqual(taints.disrupted)
    expect(leaving.metadata.labels?.[labels.excludeFromLoadBalancers]).toBe('karpenter')
    expect((await world.readClaim())?.metadata.deletionTimestamp).toBeDefined()
    expect(await world.condition('Drained')).toBe('Unknown Draining')
    expect(world.messages('FailedDraining')[0]).toBe('Failed to drain node, 1 pods are waiting to be evicted')
    await world.pass(7_000)
    expect(await world.podNames()).toEqual([])
    expect(await world.condition('Drained')).toBe('True Drained')
    expect(await world.condition('VolumesDetached')).toBe('True VolumesDetached')
    expect(await world.condition('InstanceTerminating')).toBe('True InstanceTerminating')
    expect(await world.condition('Ready')).toBe('True Ready')
    expect((await world.node()).metadata.finalizers).toEqual([finalizers.termination])
    await world.pass(6_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
    expect(await world.metric('karpenter_nodes_terminated_total', { nodepool: 'default' })).toBe(1)
    expect(await world.metric('karpenter_nodes_drained_total')).toBe(1)
    expect(await world.metric('karpenter_nodes_termination_duration_seconds_count')).toBe(1)
    expect(await world.metric('karpenter_nodes_lifetime_duration_seconds_count')).toBe(1)
    expect(await world.metric('karpenter_nodeclaims_terminated_total', { capacity_type: 'spot' })).toBe(1)
    expect(await world.metric('karpenter_nodeclaims_instance_termination_duration_seconds_count')).toBe(1)
    expect(await world.metric('karpenter_nodeclaims_termination_duration_seconds_count')).toBe(1)
    expect(await world.metric('karpenter_pods_drained_total', { reason: 'Forceful Termination' })).toBe(1)
    expect(world.log.messages('error')).toEqual([])
  })

  test('even an empty node drains for five seconds', async () => {
    const { world, node } = await withNode()
    await world.delete(kinds.Node, node)
    await world.pass(4_800)
    expect(await world.condition('Drained')).toBe('Unknown Draining')
    await world.pass(1_600)
    expect(await world.nodes()).toEqual([])
  })

  test('a node without a claim is drained and released at once', async () => {
    const { world, node, name } = await withNode()
    world.kill()
    await world.patch(karpenterKinds.NodeClaim, (await world.readClaim()) as NodeClaim, {
      metadata: { finalizers: null },
    })
    await world.admin.delete(karpenterKinds.NodeClaim, { name: 'a' }, { propagationPolicy: 'Orphan' })
    await createInstantPodOn(world, 'web', name)
    await world.delete(kinds.Node, node)
    world.start()
    await world.pass(3_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.podNames()).toEqual([])
  })

  test('a node with two claims for its provider ID is treated like a node without a claim', async () => {
    const { world, node } = await withNode()
    await createClaim(world, 'b', {
      spec: { nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } },
    })
    await world.pass(3_000)
    const b = (await world.readClaim('b')) as NodeClaim
    await world.patch(karpenterKinds.NodeClaim, b, { status: { providerID: node.spec.providerID } }, 'status')
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(3_000)
    expect(await world.read(kinds.Node, node.metadata.name)).toBeUndefined()
    expect(await world.isStaying('a')).toBe(true)
  })

  test('an unmanaged node is not changed', async () => {
    const world = await lifecycleWorld()
    const foreign = await world.admin.create(
      kinds.Node,
      node('foreign', { metadata: { finalizers: [finalizers.termination] } }),
    )
    await world.delete(kinds.Node, foreign)
    await world.pass(10_000)
    expect((await world.node()).spec.taints ?? []).not.toContainEqual(taints.disrupted)
  })

  test('many nodes at once do not affect each other', async () => {
    const world = await lifecycleWorld()
    for (const name of ['a', 'b', 'c', 'd']) await createInitializedClaim(world, name)
    for (const node of await world.nodes()) {
      await createInstantPodOn(world, `pod-${node.metadata.name}`, node.metadata.name)
      await world.delete(kinds.Node, node)
    }
    await world.pass(15_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.podNames()).toEqual([])
    for (const name of ['a', 'b', 'c', 'd']) expect(await world.readClaim(name)).toBeUndefined()
  })

  test('a taint of the same key with another effect is replaced', async () => {
    const { world, node } = await withNode()
    await world.patch(kinds.Node, node, { spec: { taints: [{ key: taints.disrupted.key, effect: 'NoExecute' }] } })
    await world.delete(kinds.Node, await world.node())
    await world.pass(500)
    const found = (await world.node()).spec.taints?.filter(({ key }) => key === taints.disrupted.key)
    expect(found).toEqual([taints.disrupted])
  })

  test('another finalizer stays, and keeps the node', async () => {
    const { world, node } = await withNode()
    await world.patch(kinds.Node, node, { metadata: { finalizers: [finalizers.termination, 'example.com/mine'] } })
    await world.delete(kinds.Node, await world.node())
    await world.pass(15_000)
    expect((await world.node()).metadata.finalizers).toEqual(['example.com/mine'])
    expect(await world.metric('karpenter_nodes_terminated_total')).toBe(1)
  })
})

describe('the instance', () => {
  test('if it is gone while the node is not ready, the node is released during its drain', async () => {
    const { world, node, name } = await withNode({
      provider: (kwok) =>
        alteredProvider(kwok, { get: () => Promise.reject(new NodeClaimNotFoundError('it is gone')) }),
    })
    await budget(world, 'block', 'web')
    await createInstantPodOn(world, 'web', name, { metadata: { labels: { app: 'web' } } })
    await world.pass(500)
    await world.delete(kinds.Node, node)
    await world.pass(20_000)
    // The node is ready, so the drain continues although the instance is gone.
    expect(await world.nodes()).toHaveLength(1)
    await world.patch(kinds.Node, await world.node(), {
      metadata: { annotations: { 'karpenter.kwok.sh/kubelet': 'stopped' } },
    })
    await world.pass(minutes(2))
    expect(await world.nodes()).toEqual([])
  })

  test('an error of the provider is retried', async () => {
    const { world, node } = await withNode()
    world.outages.failNext('terminate', new Error('the cloud is down'))
    await world.delete(kinds.Node, node)
    await world.pass(5_500)
    await world.pass(10_000)
    expect(await world.nodes()).toEqual([])
    expect(await world.readClaim()).toBeUndefined()
    expect(world.log.messages('error')).toContain('Reconciler error')
  })
})
