import { CLUSTER_POLICY, findCondition, kinds, labels, policyKinds } from '@kerf/apis'
import { expect } from 'vitest'
import { sumSamples } from './metrics-text.ts'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const SMALL = 'c-4x-amd64-linux'
const LARGE = 's-16x-amd64-linux'
const REF = { name: 'kerf-prices', namespace: 'kube-system' }

const documentOf = (price: string): string =>
  `unit: USD/hour\nasOf: 2026-01-01\nprices: [{instanceType: ${LARGE}, price: ${price}}]`

/**
 * A team pays less for a large instance type than the list price, and declares its price. New nodes have this type. An error in the
 * ConfigMap changes nothing: the condition explains what to do, and the price that Kerf read last still applies.
 */
export const runPriceBookStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'priced', { types: [SMALL, LARGE] })
  const types = async (): Promise<readonly (string | undefined)[]> =>
    (await story.claims()).map(({ metadata }) => metadata.labels?.[labels.instanceType])
  const readPolicy = () => client.get(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })
  await story.deploy(1, { cpu: '3' })
  await story.settledAt(1)
  expect(await types()).toEqual([SMALL])

  await client.create(kinds.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: REF,
    data: { 'prices.yaml': documentOf('0.001') },
  })
  await client.create(policyKinds.ClusterPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: CLUSTER_POLICY },
    spec: { priceBook: { configMap: { name: REF.name, key: 'prices.yaml' } } },
  })
  await cluster.until('the price to be in force', async () => {
    const [price] = (await readPolicy()).status?.priceBook?.prices ?? []
    return price?.instanceType === LARGE && price.usdPerHour === '0.001'
  })
  expect(sumSamples(await cluster.metrics(), 'kerf_price_book_usd_per_hour', { instance_type: LARGE })).toBe(0.001)
  await story.deployBeside('more', { cpu: '3' })
  await cluster.until('the second pod to run', async () => (await story.running()).length === 2)
  expect((await types()).toSorted()).toEqual([SMALL, LARGE])

  // Kerf reads the ConfigMap again after each change of the policy, and every minute.
  const data = { 'prices.yaml': documentOf('0') }
  await client.patch(kinds.ConfigMap, REF, { type: 'merge', body: { data } })
  await client.patch(
    policyKinds.ClusterPolicy,
    { name: CLUSTER_POLICY },
    {
      type: 'merge',
      body: { spec: { ceilings: { nodes: 100 } } },
    },
  )
  await cluster.until(
    'the condition to name the error',
    async () => {
      const { status, message = '' } = findCondition(await readPolicy(), 'Accepted') ?? {}
      return status === 'False' && message.includes('price must be a number above 0, found 0')
    },
    900,
  )
  expect((await readPolicy()).status?.priceBook?.prices[0]?.usdPerHour).toBe('0.001')
  await client.delete(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })
  await client.delete(kinds.ConfigMap, REF)
}
