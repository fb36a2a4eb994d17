import { karpenterKinds } from '@kerf/apis'
import { isNightly } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ignoreGone } from '../aws/kubelet-status.ts'
import { KerfProcess } from '../story/kerf-process.ts'
import { installCrds } from '../story/story-cluster.ts'
import { ClusterApiBed } from './src/bed.ts'
import { KerfAccounts } from './src/kerf-accounts.ts'
import { startKerfHere } from './src/kerf-here.ts'
import { ManagementLink } from './src/management-link.ts'
import { PacedClock } from './src/paced-clock.ts'
import { describeOnClusterApi } from './src/testing.ts'
import {
  runDeletedByHandStory,
  runNonsenseStory,
  runPausedClusterStory,
  runPausedDeploymentStory,
  runTwoClassesStory,
} from './stories/bad-input.ts'
import { defineBedTests, expectNothingLeft } from './stories/bed-itself.ts'
import { defineRealDeletionTable } from './stories/deletion-table.ts'
import { runFailedLaunchStory, runRemediationStory } from './stories/health-checks.ts'
import { type KerfInHand, runExpiredKubeconfigStory, runManagementAwayStory } from './stories/management-away.ts'
import {
  type Carried,
  expectMissingPermissions,
  expectUntouched,
  prepareTakeOver,
  runEndOfCarriedStory,
} from './stories/take-over.ts'
import { runTenPodsStory } from './stories/ten-pods.ts'
import { runRollingUpdateStory, runUpgradeStory } from './stories/upgrades.ts'

/**
 * What only matters nightly: these keep an API server, its webhooks and Cluster API's managers at two thirds of a core for ten
 * minutes, beside every other file of a run on two cores.
 */
const nightly = test.skipIf(!isNightly())

/** Told side by side, by one process of Kerf, each with MachineDeployments and a NodePool of its own. */
const stories: readonly (readonly [string, (bed: ClusterApiBed) => Promise<void>])[] = [
  ['a machine that never comes', runFailedLaunchStory],
  ['remediation by a MachineHealthCheck', runRemediationStory],
  ['another template with the strategy OnDelete', runUpgradeStory],
  ['another template with the strategy RollingUpdate', runRollingUpdateStory],
  ['annotations that make no sense', runNonsenseStory],
  ['two classes that select the same deployment', runTwoClassesStory],
  ['a Machine deleted by hand', runDeletedByHandStory],
  ['a paused deployment', runPausedDeploymentStory],
]

/** These change what all share, and are told one after the other by a Kerf whose time is the test's. */
const alone: readonly (readonly [string, (bed: ClusterApiBed, kerf: KerfInHand) => Promise<void>])[] = [
  ['a paused Cluster, and a Node without a Machine', runPausedClusterStory],
  ['a kubeconfig that expires', runExpiredKubeconfigStory],
  ['a management cluster that is away for five minutes', runManagementAwayStory],
]

// One bed for all of it, since its start takes a minute and there can be only one at a time.
describeOnClusterApi('Cluster API’s own controllers', (planeOf) => {
  let bed: ClusterApiBed
  let link: ManagementLink
  let accounts: KerfAccounts
  // A bed of another run may be in use for minutes.
  beforeAll(async () => {
    const plane = planeOf()
    bed = await ClusterApiBed.start(plane)
    link = await ManagementLink.open(plane.server)
    accounts = await KerfAccounts.prepare(plane, link.server, bed.managers.directory)
    await installCrds(bed.client)
  })
  afterAll(async () => {
    await bed?.stop()
    await link?.close()
  })

  defineBedTests(() => bed)
  // The same table holds for the simulated management cluster in every run.
  describe.skipIf(!isNightly())('nightly', () => defineRealDeletionTable(() => bed))

  describe('beside each other', () => {
    let carried: Carried
    let kerf: KerfProcess
    beforeAll(async () => {
      carried = await prepareTakeOver(bed)
      kerf = KerfProcess.start(
        accounts.workloadKubeconfig,
        ['--provider=cluster-api', '--disable-leader-election', '--log-format=json'],
        { CLUSTER_API_KUBECONFIG: accounts.managementKubeconfig },
      )
    })
    afterAll(async () => {
      expect(await kerf?.stop()).toBe(0)
    })

    test('with upstream’s role everything is planned, and what is missing is told', async () => {
      await expectMissingPermissions(carried)
      await accounts.grantAll()
    })

    test('ten pending pods run, the right machines go, and all of them in the end', () => runTenPodsStory(bed))
    nightly.concurrent.each(stories)('%s (nightly)', (_name, run) => run(bed))

    test('what was missing is used since it was granted', () =>
      carried.story.told('MembersClear=True', [], { event: false }))

    test('what upstream’s provider left is taken over, and no node was touched', async () => {
      await expectUntouched(carried)
      await runEndOfCarriedStory(carried)
    })
  })

  describe('with its own time', () => {
    let kerf: Awaited<ReturnType<typeof startKerfHere>>
    const clock = new PacedClock()
    beforeAll(async () => {
      kerf = await startKerfHere(accounts, clock)
    })
    afterAll(() => kerf?.stop())
    nightly.each(alone)('%s (nightly)', (_name, run) => run(bed, { link, accounts, clock }))

    test('every NodeClaim ends, and nothing that Kerf asked for is left', async () => {
      for (const { metadata } of (await bed.nodes.list(karpenterKinds.NodePool)).items)
        await bed.nodes.delete(karpenterKinds.NodePool, { name: metadata.name })
      for (const { metadata } of (await bed.nodes.list(karpenterKinds.NodeClaim)).items)
        await bed.nodes.delete(karpenterKinds.NodeClaim, { name: metadata.name }).catch(ignoreGone)
      await bed.until(
        'the end of every claim and its machine',
        async () =>
          (await bed.nodes.list(karpenterKinds.NodeClaim)).items.length === 0 &&
          (await bed.machines()).every(({ metadata }) => metadata.annotations?.['kerf.sh/nodeclaim-uid'] === undefined),
      )
    })
  })

  test('nothing is left of the cluster', () => expectNothingLeft(bed))
})
