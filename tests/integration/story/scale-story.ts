import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const TYPE = 'c-16x-amd64-linux'

/** Five hundred pods are created. Then four hundred are deleted, and later the rest. Kerf deletes the nodes that are no longer needed. */
export const runScaleStory = async (cluster: StoryCluster): Promise<void> => {
  const story = await PoolStory.open(cluster, 'scale', { types: [TYPE] })
  const nominations = await story.nominations()
  await story.deploy(500, { cpu: '200m' })
  await story.settledAt(500)
  await nominations.stop()
  const names = await story.claimNames()
  // A node with 15.9 allocatable CPUs can run 79 pods of 200m, so 500 pods need at least seven nodes.
  expect(names.length).toBeGreaterThanOrEqual(7)
  await story.measured('karpenter_nodeclaims_created_total', { reason: 'provisioned' }, names.length)
  await story.measured('karpenter_nodes_created_total', {}, names.length)
  await story.measured('karpenter_nodepools_usage', { resource_type: 'nodes' }, names.length)
  await story.toldBy('Ready', 'Unknown -> True', 'NodeClaim')
  // Every pod was nominated for a node of the story. The test reads the nominations from the pods, because all stories share the rate limit
  // of nomination Events.
  const nodes = (await story.nodes()).map(({ metadata }) => metadata.name)
  expect([...nominations.nodes].toSorted()).toEqual(nodes.toSorted())

  await story.markToStay(100)
  await story.scale(100)
  await story.patch({ disruption: { consolidateAfter: '0s' } })
  await cluster.until('two nodes for a hundred pods', async () => (await story.nodes()).length === 2, 300)
  await story.settledAt(100)
  await story.toldBy('DisruptionTerminating', 'Underutilized', 'Node')
  const gone = (await story.metric('karpenter_nodeclaims_created_total')) - 2
  await story.measured('karpenter_nodeclaims_terminated_total', {}, gone)
  await story.measured('karpenter_nodes_terminated_total', {}, gone)
  expect(await story.metric('karpenter_nodeclaims_disrupted_total')).toBe(gone)
  const decided = 'karpenter_voluntary_disruption_decisions_by_nodepool_total'
  expect(await story.metric(decided, { reason: 'underutilized' })).toBeGreaterThan(0)

  await story.scale(0)
  await cluster.until('no node without pods', async () => (await story.claims()).length === 0, 300)
  expect(await story.nodes()).toEqual([])
  await story.measured('karpenter_nodeclaims_terminated_total', {}, gone + 2)
  expect(await story.metric(decided, { decision: 'delete', reason: 'empty' })).toBeGreaterThan(0)
}
