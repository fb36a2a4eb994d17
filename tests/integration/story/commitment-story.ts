import { CLUSTER_POLICY, labels, policyKinds } from '@kerf/apis'
import { expect } from 'vitest'
import { sumSamples } from './metrics-text.ts'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const SMALL = 'c-4x-amd64-linux'
const LARGE = 's-16x-amd64-linux'

/**
 * A team has paid for one large instance. The next node is this instance, although smaller ones are cheaper, and the node after it is small
 * again. The status and a metric show the use.
 */
export const runCommitmentStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'prepaid', { types: [SMALL, LARGE] })
  const types = async (): Promise<readonly (string | undefined)[]> =>
    (await story.claims()).map(({ metadata }) => metadata.labels?.[labels.instanceType]).toSorted()
  const use = async () => (await client.get(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })).status?.commitments
  await story.deploy(1, { cpu: '3' })
  await story.settledAt(1)
  expect(await types()).toEqual([SMALL])

  await client.create(policyKinds.ClusterPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: CLUSTER_POLICY },
    spec: {
      commitments: [{ name: 'reserved', prepaid: { instanceType: LARGE, count: 1, share: '1', usdPerHour: '0.25' } }],
    },
  })
  await cluster.until('the commitment to be unused', async () => (await use())?.[0]?.unused === '1')
  await story.deployBeside('more', { cpu: '3' })
  await cluster.until('the second pod to run', async () => (await story.running()).length === 2)
  expect(await types()).toEqual([SMALL, LARGE])
  await cluster.until('the commitment to be used', async () => (await use())?.[0]?.used === '1')
  expect(await use()).toEqual([{ name: 'reserved', state: 'Active', covers: '1', used: '1', unused: '0' }])
  expect(sumSamples(await cluster.metrics(), 'kerf_commitment_unused_units', { commitment: 'reserved' })).toBe(0)

  await story.deployBeside('third', { cpu: '15' })
  await cluster.until('the third pod to run', async () => (await story.running()).length === 3)
  expect(await types()).toEqual([SMALL, LARGE, LARGE])
  expect((await use())?.[0]?.used).toBe('1')
  await client.delete(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })
}
