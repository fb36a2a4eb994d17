import { annotations, karpenterKinds, kinds } from '@kerf/apis'
import { retryAfter } from '@kerf/runtime'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { NextResponse } from '../../controller-api/reported-next.ts'
import { ClusterState } from '../../state/cluster-state.ts'
import { ManualInformers } from '../../testing/by-hand/manual-informers.ts'
import { createDeployment, type Harness, scaleDeployment } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { ONE_PER_NODE, slowOwners } from '../../testing/slow-owners.ts'
import { LaunchedAhead } from './launched-ahead.ts'
import { UnusedClaims } from './unused-claims.ts'

const start = harnessPerTest()
const { signal } = new AbortController()

/** Launches four nodes for a ReplicaSet of which only three pods appear. */
const launchedInVain = async (): Promise<Harness> => {
  const owners = await slowOwners(start)
  owners.admits = 3
  await createDeployment(owners.harness, 'web', 10, ONE_PER_NODE)
  await owners.harness.pass(2_000)
  expect((await owners.harness.claims()).length).toBe(4)
  return owners.harness
}

const unusedNext = async ({ kerf }: Harness): Promise<NextResponse['unused']> =>
  ((await kerf.respond('/kerf/v1/next', signal)) as NextResponse).unused

test('the API lists an unused NodeClaim before Kerf deletes it, the deletion has one Event, and no other node is launched', async () => {
  const harness = await launchedInVain()
  await scaleDeployment(harness, 'web', 3)
  await harness.pass(1_000)
  const next = await unusedNext(harness)
  expect(next).toHaveLength(1)
  const now = harness.clock.now()
  expect(next?.every(({ nodePool, at }) => nodePool === 'general' && at > now)).toBe(true)
  await harness.pass(70_000)
  expect((await harness.staying()).length).toBe(3)
  expect(await harness.metric('karpenter_nodeclaims_created_total')).toBe(4)
  const said = harness.messages('UnusedNodeClaimDeleted')
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(
    /^Deleted: launched for expected pods of ReplicaSet\/default\/web-\w+, and no pod was bound to its node$/,
  )
})

test('an unused node with the annotation do-not-disrupt stays', async () => {
  const harness = await launchedInVain()
  await harness.pass(30_000)
  const used = new Set(
    (await harness.claims()).filter(({ status }) => status?.lastPodEventTime).map(({ metadata }) => metadata.name),
  )
  const protectedClaim = (await harness.claims()).find(({ metadata }) => !used.has(metadata.name))
  const name = protectedClaim?.metadata.name ?? ''
  const body = { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }
  await harness.patch(karpenterKinds.NodeClaim, name, body)
  for (const { metadata } of await harness.nodes()) {
    if (metadata.ownerReferences?.some((owner) => owner.name === name) !== true) continue
    await harness.admin.patch(kinds.Node, { name: metadata.name }, { type: 'merge', body })
  }
  await harness.pass(180_000)
  expect(await harness.staying()).toEqual([...used, name].sort())
})

test('a replica that becomes the leader later waits 60 seconds before it deletes anything', async () => {
  const harness = await start({ cluster: 'api', controllers: () => [] })
  const informers = new ManualInformers()
  const deps = harness.depsWith(informers)
  const state = new ClusterState(deps)
  const controller = new UnusedClaims(deps, state, new LaunchedAhead(deps, state)).controller()
  const created = await harness.admin.create(
    karpenterKinds.NodeClaim,
    nodeClaim('ahead', { metadata: { annotations: { [annotations.launchedFor]: 'Job/default/sums' } } }),
  )
  informers.put(karpenterKinds.NodeClaim, created)
  await harness.pass(300_000)
  controller.subscribe?.(() => {})
  expect(await controller.reconcile('ahead', signal)).toEqual(retryAfter(60_000))
  await harness.pass(60_000)
  await controller.reconcile('ahead', signal)
  expect(await harness.staying()).toEqual([])
})
