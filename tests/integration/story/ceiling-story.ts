import { CLUSTER_POLICY, type ClusterPolicy, isConditionTrue, policyKinds } from '@kerf/apis'
import { expect } from 'vitest'
import { sumSamples } from './metrics-text.ts'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

type CeilingSpec = NonNullable<ClusterPolicy['spec']['ceilings']>

/** One pod of this size fills a node of the default type. */
const WHOLE = { cpu: '3' }

/**
 * A workload of a second team grows without end. The ceiling of the ClusterPolicy applies to the NodePools of both teams together. Pods
 * above it wait, and their Events explain why. A higher ceiling lets some of them start, and a lower ceiling removes nothing. Drifted nodes
 * are still replaced, with one node above the ceiling.
 */
export const runCeilingStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const shop = await PoolStory.open(cluster, 'shop')
  const batch = await PoolStory.open(cluster, 'batch')
  const claims = async (): Promise<number> => (await shop.claims()).length + (await batch.claims()).length
  await client.create(policyKinds.ClusterPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: CLUSTER_POLICY },
    spec: { ceilings: { nodes: 3 } },
  })
  const change = async (ceilings: CeilingSpec): Promise<void> => {
    const ref = { name: CLUSTER_POLICY }
    await client.patch(policyKinds.ClusterPolicy, ref, { type: 'merge', body: { spec: { ceilings } } })
  }
  const readPolicy = async (): Promise<ClusterPolicy> =>
    await client.get(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })
  const reports = async (ceiling: string, used: string, headroom: string): Promise<void> => {
    await cluster.until(`the policy to report a ceiling of ${ceiling} with ${used} used`, async () => {
      const [own] = (await readPolicy()).status?.ceilings ?? []
      return own?.name === 'nodes' && own.ceiling === ceiling && own.used === used && own.headroom === headroom
    })
    expect(sumSamples(await cluster.metrics(), 'kerf_ceiling_headroom', { resource_type: 'nodes' })).toBe(
      Number(headroom),
    )
  }
  await cluster.until('the policy to be accepted', async () => isConditionTrue(await readPolicy(), 'Accepted'))

  await shop.deploy(2, WHOLE)
  await shop.settledAt(2)
  await batch.deploy(6, WHOLE)
  await batch.toldBy('FailedScheduling', 'a new node would exceed the ceiling of the ClusterPolicy on nodes', 'Pod')
  await reports('3', '3', '0')
  await cluster.until('one pod of the batch to run', async () => (await batch.running()).length === 1)
  expect(await claims()).toBe(3)

  await change({ nodes: 5 })
  await cluster.until('three pods of the batch to run', async () => (await batch.running()).length === 3)
  await reports('5', '5', '0')

  // Running nodes stay, although they exceed the ceiling.
  await change({ nodes: 4 })
  await reports('4', '5', '-1')
  const { conditions } = (await readPolicy()).status ?? {}
  expect(conditions?.find(({ type }) => type === 'Accepted')?.message).toContain(
    'more is in use than the ceilings allow (nodes: 5 of 4)',
  )
  expect(await claims()).toBe(5)

  // Drifted nodes are still replaced, with as many nodes above the ceiling as the surge allows.
  await change({ nodes: 5 })
  await reports('5', '5', '0')
  let most = 5
  const before = await shop.claimNames()
  await shop.drift('b')
  await cluster.until(
    'every node of the shop to be a new one',
    async () => {
      most = Math.max(most, await claims())
      return (await shop.claimNames()).every((name) => !before.includes(name))
    },
    600,
  )
  await shop.settledAt(2)
  expect([most, await claims()]).toEqual([6, 5])
  expect((await batch.running()).length).toBe(3)

  await client.delete(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })
  await batch.settledAt(6)
  expect(await claims()).toBe(8)
}
