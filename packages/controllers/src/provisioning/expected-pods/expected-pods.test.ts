import { annotations, karpenterKinds, kinds, labels, type Milliseconds, type Pod } from '@kerf/apis'
import { ApiError, sleep } from '@kerf/runtime'
import type { Interceptor } from '@kerf/sandbox'
import { nodeClassRef } from '@kerf/testing'
import { expect, test } from 'vitest'
import {
  createDeployment,
  createPodDisruptionBudget,
  createPool,
  scaleDeployment,
  type World,
  type WorldOptions,
} from '../../testing/world/index.ts'
import { worldPerTest } from '../../testing/world-per-test.ts'

const start = worldPerTest()

/** One pod fits on a node. */
const TYPE = 'c-4x-amd64-linux'
const CPU = '3500m'

interface Owners {
  readonly world: World
  /** How many more pods the API server admits. */
  admits: number
  /** The time for creating one pod. */
  delay: Milliseconds
}

/**
 * A cluster whose controllers create twenty pods a second, as kube-controller-manager does by default. The nodes of its pool stay
 * when they are empty.
 */
const slowOwners = async (options: WorldOptions = {}): Promise<Owners> => {
  const pace: Interceptor = {}
  const world = await start({ settings: { planExpectedPods: 'on' }, clusterInterceptor: pace, ...options })
  const owners = { world, admits: Number.POSITIVE_INFINITY, delay: 50 }
  pace.before = async ({ verb, kind }) => {
    if (verb !== 'create' || kind?.kind !== 'Pod') return
    await sleep(world.clock, owners.delay)
    if (owners.admits <= 0) throw new ApiError({ code: 403, reason: 'Forbidden', message: 'exceeded quota' })
    owners.admits--
  }
  await createPool(world, 'general', {
    disruption: { consolidateAfter: 'Never' },
    template: {
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [{ key: labels.instanceType, operator: 'In', values: [TYPE] }],
      },
    },
  })
  return owners
}

const pods = async (world: World): Promise<readonly Pod[]> => (await world.admin.list(kinds.Pod)).items
const created = (world: World): Promise<number> => world.metric('karpenter_nodeclaims_created_total')
const running = async (world: World): Promise<number> =>
  (await pods(world)).filter(({ status, metadata }) => status?.phase === 'Running' && !metadata.deletionTimestamp)
    .length

test('claims for all replicas exist while most of their pods do not', async () => {
  const { world } = await slowOwners()
  await createDeployment(world, 'web', 40, CPU)
  await world.pass(1_000)
  const existing = await pods(world)
  expect(existing.length).toBeLessThan(25)
  // Each of them took the place of an expected pod.
  const { placements, expectedPlaces } = world.kerf.state
  expect(existing.filter((pod) => placements.decidedTarget(pod) === undefined)).toEqual([])
  const owner = existing[0]?.metadata.ownerReferences?.[0]?.uid ?? ''
  expect(expectedPlaces.of(owner).size).toBe(40 - existing.length)
  const claims = await world.claims()
  expect(claims.length).toBe(40)
  expect(claims[0]?.metadata.annotations?.[annotations.launchedFor]).toMatch(/^ReplicaSet\/default\/web-/)
  await world.pass(60_000)
  expect(await running(world)).toBe(40)
  expect((await world.claims()).length).toBe(40)
})

test('off, nothing is launched for pods that do not exist', async () => {
  const { world } = await slowOwners({ settings: { planExpectedPods: 'off' } })
  await createDeployment(world, 'web', 40, CPU)
  await world.pass(1_000)
  expect((await world.claims()).length).toBeLessThan(25)
})

test('capacity for pods that do not appear is removed, and is not bought again', async () => {
  const owners = await slowOwners()
  const { world } = owners
  owners.admits = 3
  await createDeployment(world, 'web', 10, CPU)
  await world.pass(2_000)
  const bought = await world.claims()
  expect(bought.length).toBe(10)
  await world.pass(120_000)
  expect(await running(world)).toBe(3)
  expect((await world.staying()).length).toBe(3)
  expect(world.messages('ExpectedPodsMissing').length).toBe(1)
  const known = (await world.staying()).join()
  await world.pass(3_600_000)
  expect((await world.staying()).join()).toBe(known)
  // Once the owner gets pods again, it is planned ahead again.
  owners.admits = Number.POSITIVE_INFINITY
  await world.pass(120_000)
  expect(await running(world)).toBe(10)
  expect((await world.staying()).length).toBe(10)
})

test('a ResourceQuota limits what is planned ahead', async () => {
  const owners = await slowOwners()
  const { world } = owners
  owners.admits = 6
  await world.admin.create(kinds.ResourceQuota, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'small', namespace: 'default' },
    spec: { hard: { pods: '6' } },
  })
  await createDeployment(world, 'web', 10, CPU)
  for (let step = 0; step < 60; step++) {
    const used = { pods: String((await pods(world)).length) }
    await world.patch(kinds.ResourceQuota, 'small', { status: { hard: { pods: '6' }, used } }, 'status')
    await world.pass(25)
  }
  expect((await world.claims()).length).toBe(6)
})

test('a scale-down in the middle leaves nothing behind', async () => {
  const { world } = await slowOwners()
  await createDeployment(world, 'web', 40, CPU)
  await world.pass(1_000)
  await scaleDeployment(world, 'web', 5)
  await world.pass(180_000)
  expect(await running(world)).toBe(5)
  const unused = (await world.claims()).filter(({ status }) => status?.lastPodEventTime === undefined)
  expect(unused.map(({ metadata }) => metadata.name)).toEqual([])
})

test.each([50, 1_500])('a drain buys each place once if an owner needs %i ms for each pod', async (delay) => {
  const owners = await slowOwners()
  const { world } = owners
  await createDeployment(world, 'web', 10, CPU)
  await world.pass(60_000)
  const old = await world.staying()
  expect(old.length).toBe(10)
  owners.delay = delay
  for (const name of old) await world.admin.delete(karpenterKinds.NodeClaim, { name })
  await world.pass(180_000)
  expect(await running(world)).toBe(10)
  expect(await created(world)).toBe(20)
})

test('the place of an evicted pod waits for its successor, and no other place is planned for it', async () => {
  const owners = await slowOwners()
  const { world } = owners
  await createDeployment(world, 'web', 10, CPU)
  await world.pass(60_000)
  const budget = { selector: { matchLabels: { app: 'web' } }, minAvailable: '99%' }
  await createPodDisruptionBudget(world, 'web', budget)
  await world.pass(1_000)
  for (const name of await world.staying()) await world.admin.delete(karpenterKinds.NodeClaim, { name })
  await world.pass(5_000)
  expect(await created(world)).toBe(20)
  owners.delay = 1_500
  await world.admin.delete(kinds.PodDisruptionBudget, { name: 'web', namespace: 'default' })
  const owner = (await pods(world))[0]?.metadata.ownerReferences?.[0]?.uid ?? ''
  for (let second = 0; second < 15; second++) {
    await world.pass(1_000)
    expect(world.kerf.state.expectedPlaces.of(owner).size).toBe(0)
  }
  await world.pass(60_000)
  expect(await running(world)).toBe(10)
  expect(await created(world)).toBe(20)
})

test('after a restart, a node that was launched for pods that never came is removed', async () => {
  const owners = await slowOwners()
  const { world } = owners
  owners.admits = 3
  await createDeployment(world, 'web', 10, CPU)
  await world.pass(2_000)
  expect((await world.claims()).length).toBe(10)
  world.restart()
  await world.pass(180_000)
  expect((await world.staying()).length).toBe(3)
})

test('flapping between zero and many replicas without a pod buys less and less', async () => {
  const owners = await slowOwners()
  const { world } = owners
  await createDeployment(world, 'web', 1, CPU)
  await world.pass(30_000)
  owners.admits = 0
  let bought = (await world.claims()).length
  const purchases: number[] = []
  for (let round = 0; round < 6; round++) {
    await scaleDeployment(world, 'web', 10)
    await world.pass(2_000)
    await scaleDeployment(world, 'web', 1)
    await world.pass(58_000)
    const count = await created(world)
    purchases.push(count - bought)
    bought = count
  }
  expect(purchases.slice(1).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2 * (purchases[0] ?? 0))
})

const FORBIDDEN = new ApiError({ code: 403, reason: 'Forbidden', message: 'jobs.batch is forbidden' })

test('without the permission for a kind, the other kinds are planned ahead, and the log says what is missing', async () => {
  const fault: WorldOptions['fault'] = ({ verb, kind }, when) =>
    verb === 'list' && kind?.kind === 'Job' && when === 'before' ? FORBIDDEN : undefined
  const { world } = await slowOwners({ fault })
  await world.pass(11_000)
  const said = world.log.lines.filter(({ message }) => message.startsWith('PLAN_EXPECTED_PODS=on'))
  expect(said.map(({ message, fields }) => [message, fields['kinds']])).toEqual([
    [
      'PLAN_EXPECTED_PODS=on: owners are not listed, their pods are not planned ahead; grant list and watch on them',
      'Job',
    ],
  ])
  await createDeployment(world, 'web', 20, CPU)
  await world.pass(900)
  expect((await world.claims()).length).toBe(20)
})

test('a batching window of 0 is reported', async () => {
  const { world } = await slowOwners({
    settings: { planExpectedPods: 'on', batchIdleDuration: 0, batchMaxDuration: 0 },
  })
  await world.pass(11_000)
  expect(world.log.lines.some(({ message }) => message.includes('the batching window is 0'))).toBe(true)
})
