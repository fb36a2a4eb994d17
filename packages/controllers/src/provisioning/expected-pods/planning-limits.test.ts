import { findCondition, karpenterKinds, kinds } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { createDeployment, type Harness, type HarnessOptions } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { ONE_PER_NODE, slowOwners } from '../../testing/slow-owners.ts'

const start = harnessPerTest()

const SETTING = 'PLAN_EXPECTED_PODS=on: '
const FORBIDDEN = new ApiError({ code: 403, reason: 'Forbidden', message: 'forbidden' })
const START = '2026-01-01T00:00:00Z'

interface Cluster {
  readonly harness: Harness
  /** The resource kinds that the API server currently does not allow Kerf to list and watch. */
  readonly refused: Set<string>
}

/** Starts a cluster whose API server does not allow Kerf to list and watch these resource kinds until the test allows it. */
const withRefused = async (kinds: readonly string[], options: HarnessOptions = {}): Promise<Cluster> => {
  const refused = new Set(kinds)
  const fault: HarnessOptions['fault'] = ({ verb, kind }, when) =>
    when === 'before' && (verb === 'list' || verb === 'watch') && refused.has(kind?.kind ?? '') ? FORBIDDEN : undefined
  const { harness } = await slowOwners(start, { fault, ...options })
  return { harness, refused }
}

/** Returns the reason and message of the `ExpectedPodsLimited` condition of the pool. */
const limit = async ({ admin }: Harness): Promise<readonly (string | undefined)[] | undefined> => {
  const condition = findCondition(await admin.get(karpenterKinds.NodePool, { name: 'general' }), 'ExpectedPodsLimited')
  return condition && [condition.status, condition.reason, condition.message]
}

const logged = ({ log }: Harness): readonly string[] =>
  log.lines.filter(({ message }) => message.startsWith(SETTING)).map(({ message }) => message.slice(SETTING.length))

test('an owner kind that Kerf may not read is not planned ahead, and the log and a condition of the NodePool report it', async () => {
  const { harness } = await withRefused(['Job'])
  await harness.pass(11_000)
  const text =
    'the API server refuses list and watch on jobs.batch, so pods of jobs.batch are not planned ahead; grant list and watch'
  expect(logged(harness)).toEqual([text])
  expect(await limit(harness)).toEqual(['True', 'Forbidden', text])
  // Kerf plans the expected pods of all other owner kinds.
  await createDeployment(harness, 'web', 20, ONE_PER_NODE)
  await harness.pass(900)
  expect((await harness.claims()).length).toBeGreaterThan(10)
})

test('without any permission, nothing is planned ahead until the API server grants it', async () => {
  const { harness, refused } = await withRefused([
    'ReplicaSet',
    'ReplicationController',
    'StatefulSet',
    'Job',
    'ResourceQuota',
  ])
  await harness.pass(11_000)
  const text =
    'the API server refuses list and watch on replicasets.apps, replicationcontrollers, statefulsets.apps, jobs.batch, resourcequotas, so no pods are planned ahead, and quotas do not limit how many pods are planned ahead; grant list and watch'
  expect(logged(harness)).toEqual([text])
  expect(await limit(harness)).toEqual(['True', 'Forbidden', text])
  refused.clear()
  await harness.pass(600_000)
  expect(logged(harness).slice(1)).toEqual(['the API server allows list and watch'])
  expect(await limit(harness)).toBeUndefined()
})

test('a kind that may be listed but not watched is not planned ahead, because its objects may be outdated', async () => {
  const watch: HarnessOptions['fault'] = ({ verb, kind }, when) =>
    when === 'before' && verb === 'watch' && kind?.kind === 'ReplicaSet' ? FORBIDDEN : undefined
  const owners = await slowOwners(start, { fault: watch })
  const { harness } = owners
  owners.delay = 2_000
  await createDeployment(harness, 'web', 20, ONE_PER_NODE)
  await harness.pass(20_000)
  expect((await harness.admin.list(kinds.Pod)).items.length).toBeLessThan(15)
  expect(await harness.metric('kerf_expected_pods')).toBe(0)
  expect((await limit(harness))?.[1]).toBe('Forbidden')
})

test('a list that takes long is not a refusal', async () => {
  const held = Promise.withResolvers<undefined>()
  const { harness } = await withRefused([], {
    fault: ({ verb, kind }, when) =>
      when === 'before' && verb === 'list' && kind?.kind === 'Job' ? held.promise : undefined,
  })
  await harness.pass(11_000)
  expect(logged(harness)).toEqual(['owners are not listed yet, their pods are planned ahead afterwards'])
  held.resolve(undefined)
  await harness.pass(60_000)
  expect(logged(harness)).toHaveLength(1)
  expect(await limit(harness)).toBeUndefined()
})

test('a batching window of 0 is reported at start, in the log and in the condition', async () => {
  const { harness } = await withRefused([], {
    settings: { planExpectedPods: 'on', batchIdleDuration: 0, batchMaxDuration: 0 },
  })
  const text =
    'the batching window is 0, so each owner is planned alone; set BATCH_IDLE_DURATION and BATCH_MAX_DURATION'
  await harness.pass(1_000)
  expect(logged(harness)).toEqual([text])
  expect(await limit(harness)).toEqual(['True', 'NoBatchingWindow', text])
})

test('with the setting off, the condition is removed', async () => {
  const { harness } = await withRefused([], { settings: { planExpectedPods: 'off' } })
  const conditions = [
    { type: 'ExpectedPodsLimited', status: 'True', reason: 'Forbidden', message: '', lastTransitionTime: START },
  ]
  await harness.patch(karpenterKinds.NodePool, 'general', { status: { conditions } }, 'status')
  await harness.pass(1_000)
  expect(await limit(harness)).toBeUndefined()
})
