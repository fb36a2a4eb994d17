import { karpenterKinds, kinds, labels } from '@kerf/apis'
import { isInvalid } from '@kerf/runtime'
import { node as buildNode } from '@kerf/testing'
import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

/**
 * Two PodDisruptionBudgets for the same pods, and later one without a limit, block a node. An event names each cause. After the budget is
 * removed, Kerf replaces the node.
 */
export const runPodBudgetsStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'budgets')
  await story.deploy(2)
  await story.settledAt(2)
  const both = story.protect('both', { maxUnavailable: 1, minAvailable: 1 })
  await expect(both, 'both fields are refused by the API').rejects.toSatisfy(isInvalid)

  const before = await story.claimNames()
  const [node = ''] = (await story.nodes()).map(({ metadata }) => metadata.name ?? '')
  await story.protect('one', { maxUnavailable: 2 })
  await story.protect('two', { maxUnavailable: 2 })
  await cluster.deleteByHand(kinds.Node, node)
  await story.toldBy('FailedDraining', 'does not support multiple PDBs', 'Node')
  expect((await story.running()).length).toBe(2)
  await story.unprotect('two')
  await story.replaced(before, 2)

  await story.unprotect('one')
  await story.protect('mute', {})
  const second = await story.claimNames()
  await story.drift('a')
  await story.toldBy('DisruptionBlocked', `${story.name}/mute`, 'Node')
  expect(await story.claimNames()).toEqual(second)
  await story.unprotect('mute')
  await story.replaced(second, 2)
  await story.measured('karpenter_nodeclaims_disrupted_total', { reason: 'drifted' }, 1)
  expect((await client.list(kinds.PodDisruptionBudget, { namespace: story.name })).items).toEqual([])
}

/**
 * If a NodePool has an invalid budget, Kerf does not replace its nodes, and publishes an event. Other NodePools are not affected. If there
 * are several budgets, the smallest applies.
 */
export const runPoolBudgetsStory = async (cluster: StoryCluster): Promise<void> => {
  const unreadable = [{ nodes: '100%', schedule: 'at some time or other', duration: '1h' }]
  const nowhere = [{ nodes: '100%', schedule: 'TZ=Nowhere/Town 0 0 * * *', duration: '1h' }]
  const overlapping = [{ nodes: '100%' }, { nodes: '1' }, { nodes: '0', reasons: ['Empty' as const] }]
  const open = (name: string, budgets: readonly object[]) =>
    PoolStory.open(cluster, name, { disruption: { consolidateAfter: 'Never', budgets: budgets as never } })
  const [garbled, zoned, several] = await Promise.all([
    open('garbled', unreadable),
    open('zoned', nowhere),
    open('several', overlapping),
  ])
  const all = [garbled, zoned, several]
  await Promise.all(all.map((story) => story.deploy(1)))
  for (const story of all) await story.settledAt(1)
  const before = await Promise.all(all.map((story) => story.claimNames()))
  await several.measured('karpenter_nodepools_allowed_disruptions', { reason: 'Drifted' }, 1)
  await several.measured('karpenter_nodepools_allowed_disruptions', { reason: 'Empty' }, 0)
  await Promise.all(all.map((story) => story.drift('a')))

  await several.replaced(before[2] ?? [], 1)
  for (const [index, story] of [garbled, zoned].entries()) {
    await story.toldBy('DisruptionBlocked', 'No allowed disruptions for disruption reason Drifted', 'NodePool')
    await story.measured('karpenter_nodepools_allowed_disruptions', { reason: 'Drifted' }, 0)
    expect(await story.claimNames()).toEqual(before[index])
    await story.patch({ disruption: { budgets: [{ nodes: '100%' }] } })
    await story.replaced(before[index] ?? [], 1)
  }
}

/** A foreign finalizer blocks only the deletion of its own object. Kerf ignores a node without a NodeClaim. */
export const runForeignStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'foreign')
  const stranger = `${story.name}-stranger`
  await client.create(
    kinds.Node,
    buildNode(stranger, {
      labels: { [labels.nodePool]: story.name },
      providerID: 'elsewhere://stranger',
      spec: { unschedulable: true },
    }),
  )
  await story.deploy(2)
  await cluster.until('two pods', async () => (await story.running()).length === 2)
  // Pods may run before the NodeClaim says that its node has registered.
  await cluster.until('the claim to name its node', async () => {
    const [claim] = await story.claims()
    return (claim?.status?.nodeName ?? '') !== ''
  })
  const [claim] = await story.claims()
  const name = claim?.metadata.name ?? ''
  const node = { name: claim?.status?.nodeName ?? '' }
  const hold = (finalizers: readonly string[]) =>
    [{ op: 'replace', path: '/metadata/finalizers', value: finalizers }] as const
  const FOREIGN = 'example.com/hold'
  const held = await client.get(kinds.Node, node)
  const withForeign = [...(held.metadata.finalizers ?? []), FOREIGN]
  await client.patch(kinds.Node, node, { type: 'json', body: hold(withForeign) })
  const ofClaim = await client.get(karpenterKinds.NodeClaim, { name })
  const claimWithForeign = [...(ofClaim.metadata.finalizers ?? []), FOREIGN]
  await client.patch(karpenterKinds.NodeClaim, { name }, { type: 'json', body: hold(claimWithForeign) })

  await cluster.deleteByHand(kinds.Node, node.name)
  // Kerf's finalizers are gone, the pods run on another node, and the foreign finalizers still exist.
  await cluster.until('only the foreign finalizer on the node', async () => {
    return (await client.get(kinds.Node, node)).metadata.finalizers?.join() === FOREIGN
  })
  await cluster.until('two pods elsewhere', async () => {
    const running = await story.running()
    return running.length === 2 && running.every(({ spec }) => spec.nodeName !== node.name)
  })
  await client.patch(kinds.Node, node, { type: 'json', body: hold([]) })
  await cluster.until('only the foreign finalizer on the claim', async () => {
    return (await client.get(karpenterKinds.NodeClaim, { name })).metadata.finalizers?.join() === FOREIGN
  })
  await client.patch(karpenterKinds.NodeClaim, { name }, { type: 'json', body: hold([]) })
  await cluster.until('the claim to be gone', async () => !(await story.claimNames()).includes(name))
  await story.measured('karpenter_nodes_terminated_total', {}, 1)

  const left = await client.get(kinds.Node, { name: stranger })
  expect(left.metadata.deletionTimestamp).toBeUndefined()
  expect(left.spec.taints?.some(({ key }) => key.startsWith('karpenter.sh/')) ?? false).toBe(false)
}
