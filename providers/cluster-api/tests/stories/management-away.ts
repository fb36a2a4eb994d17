import { karpenterKinds } from '@kerf/apis'
import { expect } from 'vitest'
import { ClusterApiStory } from '../src/cluster-api-story.ts'
import type { ClusterApiHarness } from '../src/harness.ts'
import type { KerfAccounts } from '../src/kerf-accounts.ts'
import type { ManagementLink } from '../src/management-link.ts'
import type { PacedClock } from '../src/paced-clock.ts'

/** Kerf's link to the management cluster, its accounts and its clock. */
export interface KerfInHand {
  readonly link: ManagementLink
  readonly accounts: KerfAccounts
  readonly clock: PacedClock
}

/** How long Kerf uses its cached state while the management cluster is unreachable. */
const REMEMBERED_MS = 2 * 60_000
const AWAY_MS = 5 * 60_000
/**
 * The time from the creation of a machine until it has a provider id. It is long enough for the test to cut the link before the id exists.
 */
const STARTUP = '15s'

/**
 * The management cluster is unreachable for five minutes, while a Machine is being created, a NodeClaim is deleted, and a pod arrives. Kerf
 * deletes and launches nothing, the node class reports since when the cluster is unreachable, and Cluster API continues its work. After
 * that, Kerf finishes all three actions, and requests nothing twice.
 */
export const runManagementAwayStory = async (harness: ClusterApiHarness, kerf: KerfInHand): Promise<void> => {
  // A link that stays cut would block all later stories.
  await tellManagementAway(harness, kerf).finally(() => kerf.link.mend())
}

const tellManagementAway = async (harness: ClusterApiHarness, { link, clock }: KerfInHand): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'away', { deployments: { away: { startup: STARTUP } } })
  await story.deploy(2, '3')
  await story.settledAt(2)
  const [first] = await story.bound()
  await story.scale(3)
  await story.until('a machine that is taken and being made', async () => {
    const coming = (await story.machines()).filter(({ spec }) => spec.providerID === undefined)
    const [claim] = (await story.claims()).filter(({ status }) => (status?.providerID ?? '') === '')
    return (
      coming.length === 1 &&
      coming[0]?.metadata.annotations?.['kerf.sh/nodeclaim-uid'] === claim?.metadata.uid &&
      claim?.metadata.annotations?.['cluster.x-k8s.io/machine'] !== undefined
    )
  })
  link.cut()
  const before = await story.uids()
  const ending = (await story.claims()).find(
    ({ metadata }) => metadata.uid === first?.metadata.annotations?.['kerf.sh/nodeclaim-uid'],
  )
  await harness.nodes.delete(karpenterKinds.NodeClaim, { name: ending?.metadata.name ?? '' })
  await clock.pass(REMEMBERED_MS + 30_000)
  await story.scale(4)
  await story.reports('MachineDeploymentsReady=True', ['has not responded since', 'restore it'])
  await story.addClass('away-new')
  await story.reports('MachineDeploymentsReady=Unknown', ['ManagementClusterUnreachable'], { name: 'away-new' })
  await clock.pass(AWAY_MS - REMEMBERED_MS - 30_000)

  const during = await story.uids()
  expect(during.machines).toEqual(before.machines)
  expect(during.claims).toEqual(expect.arrayContaining([...before.claims]))
  expect((await story.machines()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([])
  expect((await story.deployment()).spec.replicas).toBe(3)
  for (const { metadata, spec } of await story.nodes()) {
    if (spec.providerID === first?.spec.providerID) continue
    expect([metadata.deletionTimestamp, spec.unschedulable]).toEqual([undefined, undefined])
  }

  link.mend()
  await clock.pass(60_000)
  await story.settledAt(4)
  await story.machinesSettledAt(4)
  const after = await story.bound()
  expect(after).toHaveLength(4)
  // Only the Machine of the deleted NodeClaim is gone, and the Machine in creation belongs to its NodeClaim.
  const uids = after.map(({ metadata }) => metadata.uid)
  expect(before.machines.filter((uid) => !uids.includes(uid))).toEqual([first?.metadata.uid])
  await story.replicasAt(4)
  await story.reports('MachineDeploymentsReady=True', [''], { event: false })
  expect((await story.conditions()).filter((line) => line.includes('has not responded'))).toEqual([])
}

/**
 * The credentials for the management cluster expire. The node class reports this with the remedy, and nothing is deleted. A pod that
 * arrives meanwhile runs after the kubeconfig is replaced, without a restart.
 */
export const runExpiredKubeconfigStory = async (harness: ClusterApiHarness, kerf: KerfInHand): Promise<void> => {
  // Credentials that stay refused would block all later stories.
  await tellExpiredKubeconfig(harness, kerf).finally(() => kerf.accounts.renew())
}

const tellExpiredKubeconfig = async (harness: ClusterApiHarness, kerf: KerfInHand): Promise<void> => {
  const { link, accounts, clock } = kerf
  const story = await ClusterApiStory.open(harness, 'expired')
  await story.deploy(1, '3')
  await story.settledAt(1)
  const before = await story.uids()
  await accounts.expire()
  // Open watches continue until their connections end.
  await harness.until('refused credentials', async () => {
    link.drop()
    await clock.pass(15_000)
    return (await story.conditions()).some((line) => line.includes('has rejected the credentials'))
  })
  await story.reports('MachineDeploymentsReady=True', [
    'has rejected the credentials since',
    'renew the token or certificate',
  ])
  await story.scale(2)
  await clock.pass(180_000)
  const during = await story.uids()
  expect(during.machines).toEqual(before.machines)
  expect(during.claims).toEqual(expect.arrayContaining([...before.claims]))
  await accounts.renew()
  await clock.pass(30_000)
  await story.settledAt(2)
  expect(await story.bound()).toHaveLength(2)
  expect((await story.uids()).machines).toEqual(expect.arrayContaining([...before.machines]))
  await story.replicasAt(2)
}
