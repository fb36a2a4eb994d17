import { annotations, kinds } from '@kerf/apis'
import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

/** The value of do-not-disrupt in seconds: long enough for drift and a reconciliation, even on a busy machine. */
const A_WHILE = 60
const TOLD = 'karpenter.sh/do-not-disrupt'
const mark = (value: string | null) =>
  ({ type: 'merge', body: { metadata: { annotations: { [annotations.doNotDisrupt]: value } } } }) as const

/** A drifted node stays while it or a pod on it has do-not-disrupt. It is replaced after the annotation is removed or expires. */
export const runDoNotDisruptStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const [byPod, byNode, forAWhile] = await Promise.all([
    PoolStory.open(cluster, 'spared-by-pod'),
    PoolStory.open(cluster, 'spared-by-node'),
    PoolStory.open(cluster, 'spared-for-a-while'),
  ])
  await Promise.all([byPod.deploy(2), byNode.deploy(2), forAWhile.deploy(2)])
  const all = [byPod, byNode, forAWhile]
  for (const story of all) await story.settledAt(2)
  const before = await Promise.all(all.map((story) => story.claimNames()))
  const [pod] = await byPod.pods()
  const [node] = await byNode.nodes()
  const podRef = { name: pod?.metadata.name ?? '', namespace: byPod.name }
  const nodeRef = { name: node?.metadata.name ?? '' }
  await client.patch(kinds.Pod, podRef, mark('true'))
  await client.patch(kinds.Node, nodeRef, mark('true'))
  // The duration counts from the start of the pod, which may be long ago.
  const spared = await forAWhile.pods()
  const started = spared.map(({ status }) => Date.parse(status?.startTime ?? ''))
  const seconds = Math.ceil((cluster.clock.now() - Math.min(...started)) / 1_000) + A_WHILE
  for (const { metadata } of spared)
    await client.patch(kinds.Pod, { name: metadata.name, namespace: forAWhile.name }, mark(`${seconds}s`))

  await Promise.all(all.map((story) => story.drift('a')))
  await byPod.toldBy('DisruptionBlocked', `${TOLD}" annotation (Pod=${byPod.name}/${podRef.name})`, 'Node')
  await byNode.toldBy('DisruptionBlocked', `blocked through the "${TOLD}" annotation`, 'Node')
  await forAWhile.toldBy('DoNotDisruptUntil', 'will elapse at', 'Pod')
  await cluster.until('the node that was spared for a while to go', () => forAWhile.isDisturbed(before[2] ?? []))
  expect(cluster.clock.now(), 'not before the last pod’s time is over').toBeGreaterThanOrEqual(
    Math.max(...started) + seconds * 1_000,
  )
  expect([await byPod.claimNames(), await byNode.claimNames()], 'the others are there still').toEqual(
    before.slice(0, 2),
  )
  for (const story of [byPod, byNode]) expect(await story.metric('karpenter_nodeclaims_disrupted_total')).toBe(0)

  await client.patch(kinds.Pod, podRef, mark(null))
  await client.patch(kinds.Node, nodeRef, mark(null))
  for (const [index, story] of all.entries()) {
    await story.replaced(before[index] ?? [], 2)
    await story.measured('karpenter_nodeclaims_disrupted_total', { reason: 'drifted' }, 1)
    await story.toldBy('DisruptionTerminating', 'Drifted', 'Node')
  }
}
