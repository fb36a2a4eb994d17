import { finalizers, isSameTaint, karpenterKinds, kinds, taints } from '@kerf/apis'
import { expect } from 'vitest'
import { sumSamples } from './metrics-text.ts'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

/** Kerf drains a Node or NodeClaim that was deleted by hand, although a PodDisruptionBudget blocks evictions at first. */
export const runDeletionStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'deletion')
  await story.deploy(3)
  await story.settledAt(3)
  const [node = ''] = (await story.nodes()).map(({ metadata }) => metadata.name ?? '')
  const before = await story.claimNames()
  await story.protect('guard', { minAvailable: 3 })

  await cluster.deleteByHand(kinds.Node, node)
  await cluster.until('the node to be closed to pods', async () => {
    const { spec, metadata } = await client.get(kinds.Node, { name: node })
    expect(metadata.finalizers).toContain(finalizers.termination)
    return spec.taints?.some((taint) => isSameTaint(taint, taints.disrupted)) === true
  })
  await story.toldBy('FailedDraining', 'violates a PDB', 'Node')
  await cluster.until('refused evictions to be counted', async () => {
    return sumSamples(await cluster.metrics(), 'karpenter_pods_eviction_requests_total', { code: '429' }) > 0
  })
  expect((await story.running()).every(({ spec }) => spec.nodeName === node)).toBe(true)
  await story.unprotect('guard')
  await story.replaced(before, 3)
  await story.measured('karpenter_nodes_terminated_total', {}, 1)
  await story.toldBy('Evicted', 'Forceful Termination', 'Pod')

  const second = await story.claimNames()
  await cluster.deleteByHand(karpenterKinds.NodeClaim, second[0] ?? '')
  await story.replaced(second, 3)
  await story.measured('karpenter_nodeclaims_terminated_total', {}, 2)
  await story.toldBy('Finalized', 'karpenter.sh/termination', 'NodeClaim')
}

/** The machine of a NodeClaim is deleted without Kerf: Kerf deletes the claim, and the pods get a new node. */
export const runLostInstanceStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'lost')
  await story.deploy(3)
  await story.settledAt(3)
  const before = await story.claimNames()
  const [node] = await story.nodes()
  const ref = { name: node?.metadata.name ?? '' }
  // For the KWOK provider the Node is the machine.
  await client.patch(kinds.Node, ref, { type: 'merge', body: { metadata: { finalizers: null } } })
  await client.delete(kinds.Node, ref)
  await story.replaced(before, 3, 300)
  await story.measured('karpenter_nodeclaims_disrupted_total', { reason: 'garbage_collected' }, 1)
  await story.toldBy('Finalized', 'karpenter.sh/termination', 'NodeClaim')
}
