import { karpenterKinds } from '@kerf/apis'
import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

/** A NodePool with replicas keeps that many nodes without any pod, and follows its scale subresource up and down. */
export const runStaticPoolStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'static', { replicas: 2, disruption: { budgets: [{ nodes: '100%' }] } })
  const at = async (replicas: number): Promise<void> => {
    await cluster.until(`${replicas} static nodes`, async () => (await story.nodes()).length === replicas)
    await story.settledAt(0)
    expect((await story.claims()).length).toBe(replicas)
    await cluster.until(`the pool to count ${replicas}`, async () => {
      const { status } = await client.get(karpenterKinds.NodePool, { name: story.name })
      return status?.nodes === replicas
    })
    await story.measured('karpenter_nodepools_usage', { resource_type: 'nodes' }, replicas)
  }
  await at(2)
  const first = await story.claimNames()
  await cluster.scaleByHand(karpenterKinds.NodePool, story.name, 4)
  await at(4)
  for (const name of first) expect(await story.claimNames()).toContain(name)
  await story.measured('karpenter_nodeclaims_created_total', { reason: 'provisioned' }, 4)
  await cluster.scaleByHand(karpenterKinds.NodePool, story.name, 1)
  await at(1)
  await story.measured('karpenter_nodeclaims_terminated_total', {}, 3)
  await story.toldBy('Finalized', 'karpenter.sh/termination', 'NodeClaim')

  // Kerf launches the replacement of a drifted static node before it deletes the node.
  const before = await story.claimNames()
  await story.drift('a')
  await story.replaced(before, 0)
  await at(1)
  await story.measured('karpenter_nodeclaims_disrupted_total', { reason: 'drifted' }, 1)
  await cluster.scaleByHand(karpenterKinds.NodePool, story.name, 0)
  await at(0)
}
