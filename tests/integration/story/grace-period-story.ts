import { annotations, karpenterKinds, kinds } from '@kerf/apis'
import { isNotFound } from '@kerf/runtime'
import { expect } from 'vitest'
import { sumSamples } from './metrics-text.ts'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const POD_GRACE = 5

/** A deleted NodeClaim drains for its terminationGracePeriod. Pods that cannot be evicted are deleted just before its end. */
export const runGracePeriodStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'grace', { template: { terminationGracePeriod: '20s' } })
  await story.deploy(1, {
    annotations: { [annotations.doNotDisrupt]: 'true' },
    terminationGracePeriodSeconds: POD_GRACE,
  })
  await story.settledAt(1)
  await story.protect('guard', { maxUnavailable: 0 })
  const [claim = ''] = await story.claimNames()
  const [pod] = await story.pods()
  const podRef = { name: pod?.metadata.name ?? '', namespace: story.name }
  const asked = cluster.clock.now()
  await cluster.deleteByHand(karpenterKinds.NodeClaim, claim)

  let deadline = 0
  await cluster.until('the claim to carry its deadline', async () => {
    const { metadata } = await client.get(karpenterKinds.NodeClaim, { name: claim })
    deadline = Date.parse(metadata.annotations?.[annotations.terminationTimestamp] ?? '1970-01-01T00:00:00Z')
    return deadline > 0
  })
  // Timestamps have whole seconds.
  expect(deadline).toBeGreaterThan(asked + 18_000)
  await story.toldBy('TerminationGracePeriodExpiring', 'All pods will be deleted by', 'NodeClaim')
  await story.toldBy('TerminationGracePeriodExpiring', 'All pods will be deleted by', 'Node')

  await cluster.until('the pod to be deleted', async () => {
    try {
      return (await client.get(kinds.Pod, podRef)).metadata.deletionTimestamp !== undefined
    } catch (error) {
      if (isNotFound(error)) return true
      throw error
    }
  })
  expect(cluster.clock.now(), 'no earlier than its own grace before the deadline').toBeGreaterThan(
    deadline - POD_GRACE * 1_000,
  )
  await story.toldBy('Disrupted', '', 'Pod')
  await story.replaced([claim], 1)
  await story.measured('karpenter_nodeclaims_terminated_total', {}, 1)
  await story.measured('karpenter_nodes_drained_total', {}, 1)
  expect(
    sumSamples(await cluster.metrics(), 'karpenter_pods_drained_total', { reason: 'Forceful Termination' }),
  ).toBeGreaterThan(0)
}
