import { karpenterKinds } from '@kerf/apis'
import { isNightly } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ignoreGone } from '../../../tests/integration/kubelets/kubelet-status.ts'
import { KerfProcess } from '../../../tests/integration/story/kerf-process.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { ClusterApiHarness } from './src/harness.ts'
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
import { defineRealDeletionTable } from './stories/deletion-table.ts'
import { defineHarnessTests, expectNothingLeft } from './stories/harness-itself.ts'
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
 * Marks tests for the nightly run. They use two thirds of a core for ten minutes, for an API server, its webhooks and Cluster API's
 * managers. This is too much while other test files run on two cores.
 */
const nightly = test.skipIf(!isNightly())

/** Stories that one process of Kerf runs concurrently. Each has its own MachineDeployments and NodePool. */
const stories: readonly (readonly [string, (harness: ClusterApiHarness) => Promise<void>])[] = [
  ['a machine that never comes', runFailedLaunchStory],
  ['remediation by a MachineHealthCheck', runRemediationStory],
  ['another template with the strategy OnDelete', runUpgradeStory],
  ['another template with the strategy RollingUpdate', runRollingUpdateStory],
  ['annotations that make no sense', runNonsenseStory],
  ['two classes that select the same deployment', runTwoClassesStory],
  ['a Machine deleted by hand', runDeletedByHandStory],
  ['a paused deployment', runPausedDeploymentStory],
]

/** Stories that change shared objects. They run one after the other, and the test controls the clock of their Kerf. */
const alone: readonly (readonly [string, (harness: ClusterApiHarness, kerf: KerfInHand) => Promise<void>])[] = [
  ['a paused Cluster, and a Node without a Machine', runPausedClusterStory],
  ['a kubeconfig that expires', runExpiredKubeconfigStory],
  ['a management cluster that is away for five minutes', runManagementAwayStory],
]

// All tests share one test bed: starting it takes a minute, and only one can run at a time.
describeOnClusterApi('Cluster API’s own controllers', (planeOf) => {
  let harness: ClusterApiHarness
  let link: ManagementLink
  let accounts: KerfAccounts
  // Another run of the tests may use its harness for minutes, so this hook waits.
  beforeAll(async () => {
    const plane = planeOf()
    harness = await ClusterApiHarness.start(plane)
    link = await ManagementLink.open(plane.server)
    accounts = await KerfAccounts.prepare(plane, link.server, harness.managers.directory)
    await installCrds(harness.client)
  })
  afterAll(async () => {
    await harness?.stop()
    await link?.close()
  })

  defineHarnessTests(() => harness)
  // Every run checks the same table with the simulated management cluster.
  describe.skipIf(!isNightly())('nightly', () => defineRealDeletionTable(() => harness))

  describe('concurrent stories', () => {
    let carried: Carried
    let kerf: KerfProcess
    beforeAll(async () => {
      carried = await prepareTakeOver(harness)
      kerf = KerfProcess.start(
        accounts.workloadKubeconfig,
        ['--provider=cluster-api', '--disable-leader-election', '--log-format=json'],
        { CLUSTER_API_KUBECONFIG: accounts.managementKubeconfig },
      )
    })
    afterAll(async () => {
      expect(await kerf?.stop()).toBe(0)
    })

    test('with upstream’s role Kerf plans everything, and reports the missing permissions', async () => {
      await expectMissingPermissions(carried)
      await accounts.grantAll()
    })

    test('ten pending pods run, then the right machines are deleted, and finally all of them', () =>
      runTenPodsStory(harness))
    nightly.concurrent.each(stories)('%s (nightly)', (_name, run) => run(harness))

    test('Kerf uses the permissions after they are granted', () =>
      carried.story.reports('MembersClear=True', [], { event: false }))

    test('Kerf takes over the objects of upstream’s provider without changing a node', async () => {
      await expectUntouched(carried)
      await runEndOfCarriedStory(carried)
    })
  })

  describe('with a clock of its own', () => {
    let kerf: Awaited<ReturnType<typeof startKerfHere>>
    const clock = new PacedClock()
    beforeAll(async () => {
      kerf = await startKerfHere(accounts, clock)
    })
    afterAll(() => kerf?.stop())
    nightly.each(alone)('%s (nightly)', (_name, run) => run(harness, { link, accounts, clock }))

    test('every NodeClaim ends, and nothing that Kerf created is left', async () => {
      for (const { metadata } of (await harness.nodes.list(karpenterKinds.NodePool)).items)
        await harness.nodes.delete(karpenterKinds.NodePool, { name: metadata.name })
      for (const { metadata } of (await harness.nodes.list(karpenterKinds.NodeClaim)).items)
        await harness.nodes.delete(karpenterKinds.NodeClaim, { name: metadata.name }).catch(ignoreGone)
      await harness.until(
        'the end of every claim and its machine',
        async () =>
          (await harness.nodes.list(karpenterKinds.NodeClaim)).items.length === 0 &&
          (await harness.machines()).every(
            ({ metadata }) => metadata.annotations?.['kerf.sh/nodeclaim-uid'] === undefined,
          ),
      )
    })
  })

  test('nothing is left of the cluster', () => expectNothingLeft(harness))
})
