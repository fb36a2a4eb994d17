import { isConditionTrue, karpenterKinds, kinds, labels, type NodeClaim } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { expect } from 'vitest'
import { applyExample } from './manifests.ts'
import { claims, ourNodes, running, scale, settledAt } from './nginx-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const TEAM = 'example.com/team'

const patchPool = (client: KubeClient, spec: object): Promise<unknown> =>
  client.patch(karpenterKinds.NodePool, { name: 'general' }, { type: 'merge', body: { spec } })

const eventsOf = async (client: KubeClient, reason: string): Promise<readonly string[]> => {
  const { items } = await client.list(kinds.Event)
  return items.filter((event) => event.reason === reason).map(({ message }) => message ?? '')
}

const isOfTeam = ({ metadata }: NodeClaim): boolean => metadata.labels?.[TEAM] === 'a'

/**
 * A NodePool's labels change under a PodDisruptionBudget that forbids every eviction: its nodes drift and stay, and it is
 * told why. The budget is relaxed: every node is replaced before its pods are moved. The pods go, and the nodes with them.
 */
export const tellDriftStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  await applyExample(client, 'quickstart/nodepool.yaml', () => cluster.pass(0.2))
  await patchPool(client, {
    disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }] },
    template: {
      spec: { requirements: [{ key: labels.instanceType, operator: 'In', values: ['c-2x-amd64-linux'] }] },
    },
  })
  await applyExample(client, 'quickstart/nginx.yaml', () => cluster.pass(0.2))
  await settledAt(cluster, 10)
  const before = new Set((await claims(client)).map(({ metadata }) => metadata.name))

  const budget = { name: 'nginx', namespace: 'default' }
  await client.create(kinds.PodDisruptionBudget, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: budget,
    spec: { selector: { matchLabels: { app: 'nginx' } }, maxUnavailable: 0 },
  })
  await cluster.pass(1)
  await patchPool(client, { template: { metadata: { labels: { [TEAM]: 'a' } } } })
  await cluster.until('every claim to have drifted', async () =>
    (await claims(client)).every((claim) => isConditionTrue(claim, 'Drifted')),
  )
  await cluster.until('the PodDisruptionBudget to be named', async () =>
    (await eventsOf(client, 'DisruptionBlocked')).some((message) => message.includes('default/nginx')),
  )
  expect(new Set((await claims(client)).map(({ metadata }) => metadata.name))).toEqual(before)
  expect((await running(client)).length).toBe(10)

  const relaxed = { type: 'merge', body: { spec: { maxUnavailable: 3 } } } as const
  await client.patch(kinds.PodDisruptionBudget, budget, relaxed)
  await cluster.until(
    'every node to be of the new kind',
    async () => {
      const all = await claims(client)
      return all.length > 0 && all.every(isOfTeam)
    },
    300,
  )
  await settledAt(cluster, 10)
  for (const { metadata } of await ourNodes(client)) expect(metadata.labels?.[TEAM]).toBe('a')
  expect(await eventsOf(client, 'DisruptionTerminating')).toContain('Disrupting NodeClaim: Drifted')

  await scale(client, 0)
  await patchPool(client, { disruption: { consolidateAfter: '0s' } })
  await cluster.until('every empty node to be gone', async () => (await claims(client)).length === 0)
}
