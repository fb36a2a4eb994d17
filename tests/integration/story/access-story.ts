import { findCondition, kinds, policyKinds } from '@kerf/apis'
import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const POLICY = 'for-research'

/**
 * A NodePool with a taint is meant for one team. Pods of another namespace tolerate the taint and select the nodes, but get no node, and
 * their Events explain why. When the namespace gets the label of the team, they run. When it loses the label again, running pods stay.
 */
export const runAccessStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'research')
  await client.create(policyKinds.NodePoolPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name: POLICY },
    spec: {
      targetRefs: [{ group: 'karpenter.sh', kind: 'NodePool', name: story.name }],
      access: { namespaceSelector: { matchLabels: { team: 'research' } } },
    },
  })
  const conditionStatus = async (type: string): Promise<string | undefined> => {
    const { status } = await client.get(policyKinds.NodePoolPolicy, { name: POLICY })
    const [target] = status?.targets ?? []
    return target === undefined ? undefined : findCondition({ status: target }, type)?.status
  }
  await cluster.until('the policy to be accepted', async () => (await conditionStatus('Accepted')) === 'True')
  expect(await conditionStatus('Enforced')).toBe('True')
  const label = async (team: string | null): Promise<void> => {
    const body = { metadata: { labels: { team } } }
    await client.patch(kinds.Namespace, { name: story.name }, { type: 'merge', body })
  }

  await story.deploy(2)
  await story.toldBy('FailedScheduling', `not open to pods of namespace ${story.name}`, 'Pod')
  expect(await story.claims()).toEqual([])

  await label('research')
  await story.settledAt(2)

  await label(null)
  await story.scale(3)
  await story.toldBy('FailedScheduling', `not open to pods of namespace ${story.name}`, 'Pod')
  await cluster.pass(20)
  expect(await story.claims()).toHaveLength(1)
  expect((await story.pods()).filter(({ spec }) => spec.nodeName !== undefined).length).toBeGreaterThanOrEqual(2)
  await client.delete(policyKinds.NodePoolPolicy, { name: POLICY })
  await story.settledAt(3)
}
