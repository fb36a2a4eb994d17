import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

/**
 * A NodePool's labels change while a PodDisruptionBudget forbids every eviction: the nodes drift but stay, and Events explain why. Then the
 * budget is relaxed: Kerf launches each replacement before it moves the pods. At the end the pods and nodes are deleted.
 */
export const runDriftStory = async (cluster: StoryCluster): Promise<void> => {
  const story = await PoolStory.open(cluster, 'drift', { types: ['c-2x-amd64-linux'] })
  await story.deploy(6)
  await story.settledAt(6)
  const before = await story.claimNames()
  await story.protect('guard', { maxUnavailable: 0 })
  await story.drift('a')
  await story.toldBy('DisruptionBlocked', 'drift/guard', 'Node')
  expect((await story.claimNames()).toSorted()).toEqual(before.toSorted())
  expect((await story.running()).length).toBe(6)
  expect(await story.metric('karpenter_nodeclaims_disrupted_total')).toBe(0)

  await story.unprotect('guard')
  await story.protect('guard', { maxUnavailable: 3 })
  await story.replaced(before, 6, 300)
  for (const { metadata } of await story.nodes()) expect(metadata.labels?.['example.com/team']).toBe('a')
  await story.toldBy('DisruptionTerminating', 'Drifted', 'NodeClaim')
  await story.toldBy('DisruptionLaunching', 'Drifted', 'NodeClaim')
  expect(await story.metric('karpenter_nodeclaims_disrupted_total', { reason: 'drifted' })).toBe(before.length)
  const decided = 'karpenter_voluntary_disruption_decisions_by_nodepool_total'
  expect(await story.metric(decided, { reason: 'drifted', decision: 'replace' })).toBeGreaterThan(0)
  expect(await story.metric('karpenter_nodeclaims_created_total', { reason: 'drifted' })).toBeGreaterThan(0)

  await story.scale(0)
  await story.patch({ disruption: { consolidateAfter: '0s' } })
  await cluster.until('every empty node to be gone', async () => (await story.claims()).length === 0)
}
