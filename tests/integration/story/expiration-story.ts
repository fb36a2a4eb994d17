import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

/** Long enough for a node to become ready on a busy machine. */
const LIFE = 90

/** Kerf deletes expired nodes regardless of budgets. Their pods are evicted and get new nodes. */
export const runExpirationStory = async (cluster: StoryCluster): Promise<void> => {
  const story = await PoolStory.open(cluster, 'expiration', {
    disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] },
    template: { expireAfter: `${LIFE}s` },
  })
  await story.deploy(6)
  await cluster.until('the first claim', async () => (await story.claims()).length > 0)
  // Nodes that are launched after this change do not expire. The existing nodes drift because of the change, but the budget forbids their
  // replacement.
  await story.patch({ template: { spec: { expireAfter: 'Never' } } })
  const first = await story.claims()
  const oldest = Math.min(...first.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')))
  await cluster.until('a claim to be deleted', async () => {
    const claims = await story.claims()
    return claims.length < first.length || claims.some(({ metadata }) => metadata.deletionTimestamp !== undefined)
  })
  expect(cluster.clock.now() - oldest, 'no claim goes before its time').toBeGreaterThanOrEqual(LIFE * 1_000)
  await story.replaced(
    first.map(({ metadata }) => metadata.name),
    6,
  )
  for (const { spec } of await story.claims()) expect(spec.expireAfter).toBe('Never')
  const expired = await story.metric('karpenter_nodeclaims_disrupted_total', { reason: 'expired' })
  expect(expired).toBeGreaterThanOrEqual(first.length)
  await story.toldBy('Evicted', 'Forceful Termination', 'Pod')
  await story.toldBy('Finalized', 'karpenter.sh/termination', 'NodeClaim')
}
