import { findCondition, isConditionTrue } from '@kerf/apis'
import { clusterApiNodeClassKind } from '@kerf/provider-cluster-api/node-class'
import { expect } from 'vitest'
import { ClusterApiStory } from '../src/cluster-api-story.ts'
import type { ClusterApiHarness } from '../src/harness.ts'

const NEWER = 'v1.36.1'

/** Changes the node class, so that Kerf reconciles it immediately instead of within five minutes. */
const lookAgain = async (story: ClusterApiStory): Promise<void> => {
  const body = { metadata: { annotations: { 'example.com/look': 'again' } } }
  await story.harness.nodes.patch(clusterApiNodeClassKind, { name: story.name }, { type: 'merge', body })
}

/**
 * Checks an upgrade with the strategy OnDelete. A user changes the Kubernetes version in the template. Kerf then replaces the nodes one by
 * one, because the budget allows one disruption at a time.
 */
export const runUpgradeStory = async (harness: ClusterApiHarness): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'upgraded')
  await story.deploy(3, '3')
  await story.settledAt(3)
  const before = await story.uids()
  await story.patchPool({ disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '1' }] } })
  await harness.workload.upgrade('upgraded', NEWER)
  await story.until('Cluster API calls the machines outdated', async () =>
    (await story.machines()).every(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'UpToDate' && is === 'False'),
    ),
  )
  await lookAgain(story)
  await story.until('the first claim to drift', async () =>
    (await story.claims()).some(
      (claim) =>
        isConditionTrue(claim, 'Drifted') && findCondition(claim, 'Drifted')?.reason === 'MachineTemplateDrift',
    ),
  )
  let mostAtOnce = 0
  let fewestPods = 3
  await story.until('every claim to be a new one', async () => {
    const [claims, pods] = [await story.claims(), await story.pods()]
    const old = claims.filter(({ metadata }) => before.claims.includes(metadata.uid ?? ''))
    mostAtOnce = Math.max(mostAtOnce, old.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length)
    fewestPods = Math.min(fewestPods, pods.filter(({ status }) => status?.phase === 'Running').length)
    return claims.length > 0 && old.length === 0
  })
  expect(mostAtOnce).toBe(1)
  expect(fewestPods).toBeGreaterThanOrEqual(2)
  await story.settledAt(3)
  await story.machinesSettledAt(3)
  const after = await story.bound()
  expect(after.map(({ spec }) => spec.version)).toEqual([NEWER, NEWER, NEWER])
  for (const { metadata } of after) expect(before.machines).not.toContain(metadata.uid)
  await story.replicasAt(3)
}

/**
 * With the strategy RollingUpdate, Cluster API itself replaces the Machines. The node class reports that strategy, and no NodeClaim
 * drifts. The NodeClaim of the old Machine is deleted, and the pod runs on the new Machine. At the end, there are as many Machines as
 * before.
 */
export const runRollingUpdateStory = async (harness: ClusterApiHarness): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'rolled', {
    deployments: { rolled: { strategy: 'RollingUpdate' } },
  })
  await story.reports('MembersClear=False', [
    'RollingUpdateReplacesNodes',
    'MachineDeployment default/rolled',
    'set spec.rollout.strategy.type to OnDelete',
  ])
  await story.deploy(1, '3')
  await story.settledAt(1)
  const before = await story.uids()
  await harness.workload.upgrade('rolled', NEWER)
  await story.until('the machine to be replaced', async () =>
    (await story.machines()).every(({ metadata }) => !before.machines.includes(metadata.uid ?? '')),
  )
  await story.settledAt(1)
  await story.machinesSettledAt(1)
  const [machine] = await story.bound()
  expect(machine?.spec.version).toBe(NEWER)
  await story.replicasAt(1)
  expect((await story.claims()).map(({ metadata }) => metadata.uid)).not.toEqual(before.claims)
}
