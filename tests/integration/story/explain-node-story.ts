import { annotations, kinds } from '@kerf/apis'
import { explainObserved, listCluster } from '@kerf/cli'
import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

/** `kerf explain node` on a live cluster, with read access only, names each blocker until none is left. */
export const runExplainNodeStory = async (cluster: StoryCluster): Promise<void> => {
  const { client, clock } = cluster
  const story = await PoolStory.open(cluster, 'explained', {
    disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] },
  })
  await story.deploy(1)
  await story.settledAt(1)
  await story.protect('covers', { minAvailable: 1, selector: {} })
  const [claim] = await story.claims()
  const [node] = await story.nodes()
  const name = node?.metadata.name ?? ''
  const explain = async () => {
    const found = await explainObserved(await listCluster(client, 'the cluster'), name, clock)
    const codesOf = (method: string): readonly string[] | undefined =>
      found?.methods.find((verdict) => verdict.method === method)?.blockers.map(({ code }) => code)
    return { found, codesOf }
  }
  await cluster.until('consolidation held up by budget and PodDisruptionBudget only', async () => {
    const codes = (await explain()).codesOf('single-node')
    return codes?.join() === 'pdb.blocks,budget.exhausted'
  })
  const { found, codesOf } = await explain()
  expect(found).toMatchObject({ node: name, nodePool: story.name })
  expect(found?.blockers).toMatchObject([{ code: 'pdb.blocks', budget: `${story.name}/covers` }])
  expect(codesOf('drift')).toEqual(['pdb.blocks', 'node.not-drifted', 'budget.exhausted'])
  expect(codesOf('emptiness')).toEqual(['pdb.blocks', 'node.not-empty', 'budget.exhausted'])

  await story.unprotect('covers')
  await story.patch({ disruption: { budgets: [{ nodes: '100%' }] } })
  await cluster.until('a node that nothing cheaper can replace', async () => {
    return (await explain()).codesOf('single-node')?.join() === 'price.not-cheaper'
  })
  const single = (await explain()).found?.methods.find(({ method }) => method === 'single-node')
  expect(single?.blockers).toMatchObject([{ code: 'price.not-cheaper', price: expect.any(Number) }])

  const mark = { type: 'merge', body: { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } } } as const
  await client.patch(kinds.Node, { name }, mark)
  await cluster.until('the annotation named', async () => {
    return (await explain()).found?.blockers.map(({ code }) => code).join() === 'node.do-not-disrupt'
  })
  // For the name of the NodeClaim, `kerf explain node` gives the same answer.
  const manifests = await listCluster(client, 'the cluster')
  expect((await explainObserved(manifests, claim?.metadata.name ?? '', clock))?.node).toBe(name)
  expect(await explainObserved(manifests, 'nobody', clock)).toBeUndefined()
}
