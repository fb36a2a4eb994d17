import { findCondition, type KubeObject, karpenterKinds, labels, type Node, type NodePool } from '@kerf/apis'
import { forecastChange, forecastRemoval, listCluster, observeManifests } from '@kerf/cli'
import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const objectName = ({ metadata }: KubeObject): string => metadata.name

/** Returns how many pods of the story each node has. Nodes outside `known` are new. */
const spread = async (story: PoolStory, known: ReadonlySet<string>): Promise<readonly string[]> => {
  const counts = new Map<string, number>()
  for (const { spec } of await story.running()) {
    const node = spec.nodeName ?? ''
    counts.set(node, (counts.get(node) ?? 0) + 1)
  }
  return [...counts].map(([node, count]) => `${known.has(node) ? node : 'new'} ${count}`).sort()
}

const typeOf = (node: Node): string => node.metadata.labels?.[labels.instanceType] ?? ''

/**
 * The forecast for a change of a NodePool, with read access only, matches what Kerf does after the change: the same nodes drift for
 * the same reasons, the first one is replaced first, and the replacements have the predicted instance types.
 */
export const runChangeStory = async (cluster: StoryCluster): Promise<void> => {
  const { client, clock } = cluster
  const story = await PoolStory.open(cluster, 'what-if-change', { types: ['c-2x-amd64-linux'] })
  await story.deploy(6)
  await story.settledAt(6)
  const before = await story.claims()
  const pool = await client.get(karpenterKinds.NodePool, { name: story.name })
  const { requirements = [], ...template } = pool.spec.template.spec
  const changed: NodePool = {
    ...pool,
    spec: {
      ...pool.spec,
      disruption: { ...pool.spec.disruption, consolidateAfter: 'Never', budgets: [{ nodes: '1' }] },
      template: {
        ...pool.spec.template,
        spec: {
          ...template,
          requirements: requirements.map((each) =>
            each.key === labels.instanceType ? { ...each, values: ['c-8x-amd64-linux'] } : each,
          ),
        },
      },
    },
  }
  const change = [{ object: changed, file: 'change.yaml', line: 1 }]
  const observed = await observeManifests(await listCluster(client, 'the cluster'))
  const forecast = await forecastChange(observed, change, {}, clock)
  expect(forecast.objects).toEqual([{ object: `NodePool ${story.name}`, change: 'changed' }])
  expect(forecast.withoutPlace).toEqual([])
  expect(forecast.newNodes.map(({ cheapest }) => cheapest.instanceType)).toEqual(['c-8x-amd64-linux'])

  const closings = await story.closings()
  await client.patch(karpenterKinds.NodePool, { name: story.name }, { type: 'merge', body: { spec: changed.spec } })
  await cluster.until('every claim of before to be drifted or gone', async () => {
    const claims = await story.claims()
    return claims.every(
      (claim) =>
        before.every(({ metadata }) => metadata.name !== objectName(claim)) ||
        findCondition(claim, 'Drifted') !== undefined,
    )
  })
  const reasons = (await story.claims()).flatMap((claim) => {
    const condition = findCondition(claim, 'Drifted')
    return condition?.status === 'True' ? [[objectName(claim), condition.reason]] : []
  })
  const told = forecast.drifting.map(({ nodeClaim, reason }) => [nodeClaim, reason])
  expect(told.toSorted()).toEqual(reasons.toSorted())
  expect(told.length).toBe(before.length)

  const names = before.map(objectName)
  await story.replaced(names, 6, 300)
  await closings.stop()
  expect([...closings.nodes][0], 'the node that goes first').toBe(forecast.drifting[0]?.node)
  const after = await story.nodes()
  expect(after.map(typeOf)).toEqual(forecast.newNodes.map(({ cheapest }) => cheapest.instanceType))
  expect(forecast.cost.after.nodes - forecast.cost.before.nodes).toBe(after.length - before.length)
}

/** After a user deletes a node, its pods run where the forecast placed them: in free capacity of other nodes, and on new nodes. */
export const runRemovalStory = async (cluster: StoryCluster): Promise<void> => {
  const { client, clock } = cluster
  const story = await PoolStory.open(cluster, 'what-if-remove', { types: ['c-2x-amd64-linux'] })
  await story.deploy(8)
  await story.settledAt(8)
  const [claim] = await story.claims()
  const removed = objectName(claim ?? expect.fail('a claim'))
  const known = new Set((await story.nodes()).map(objectName))
  const observed = await observeManifests(await listCluster(client, 'the cluster'))
  const forecast = await forecastRemoval(observed, [removed], {}, clock)
  expect(forecast.removed).toEqual([claim?.status?.nodeName])
  expect(forecast.withoutPlace).toEqual([])
  expect(forecast.held).toEqual([])
  expect(forecast.moves.length).toBeGreaterThan(0)

  const staying = new Map<string, number>()
  for (const { spec } of await story.running()) {
    if (spec.nodeName !== claim?.status?.nodeName)
      staying.set(spec.nodeName ?? '', (staying.get(spec.nodeName ?? '') ?? 0) + 1)
  }
  for (const { to } of forecast.moves) {
    const node = typeof to === 'string' ? to : `new-${to}`
    staying.set(node, (staying.get(node) ?? 0) + 1)
  }
  const expected = [...staying].map(([node, count]) => `${known.has(node) ? node : 'new'} ${count}`).sort()
  await cluster.deleteByHand(karpenterKinds.NodeClaim, removed)
  await cluster.until('the node to be gone', async () => !(await story.claimNames()).includes(removed))
  await story.settledAt(8)
  expect(await spread(story, known)).toEqual(expected)
  const news = (await story.nodes()).filter((node) => !known.has(objectName(node)))
  expect(news.map(typeOf)).toEqual(forecast.newNodes.map(({ cheapest }) => cheapest.instanceType))
}
