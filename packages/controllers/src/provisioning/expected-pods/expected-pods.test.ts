import { annotations, karpenterKinds, kinds, type Pod } from '@kerf/apis'
import { expect, test } from 'vitest'
import {
  createDeployment,
  createPodDisruptionBudget,
  type Harness,
  scaleDeployment,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { ONE_PER_NODE, slowOwners } from '../../testing/slow-owners.ts'

const start = harnessPerTest()

const pods = async (harness: Harness): Promise<readonly Pod[]> => (await harness.admin.list(kinds.Pod)).items
const created = (harness: Harness): Promise<number> => harness.metric('karpenter_nodeclaims_created_total')
const running = async (harness: Harness): Promise<number> =>
  (await pods(harness)).filter(({ status, metadata }) => status?.phase === 'Running' && !metadata.deletionTimestamp)
    .length

test.each([
  [40, ONE_PER_NODE, 1],
  [100, '420m', 9],
])(
  'nodes for %i pods with %s CPU are launched as the pods are created, and never more than one node ahead of them',
  async (replicas, cpu, perNode) => {
    const { harness } = await slowOwners(start, { registrationDelay: '30s' })
    await createDeployment(harness, 'web', replicas, cpu)
    await harness.pass(400)
    for (let count = 0; count < replicas; ) {
      await harness.pass(150)
      count = (await pods(harness)).length
      const { length } = await harness.claims()
      expect(length).toBeLessThanOrEqual(Math.ceil(count / perNode) + 1)
      expect(length).toBeGreaterThanOrEqual(Math.floor(count / perNode) - 1)
    }
    const [claim] = await harness.claims()
    expect(claim?.metadata.annotations?.[annotations.launchedFor]).toMatch(/^ReplicaSet\/default\/web-/)
    await harness.pass(60_000)
    expect(await running(harness)).toBe(replicas)
    expect((await harness.claims()).length).toBe(Math.ceil(replicas / perNode))
  },
)

test('if the setting is off, nothing is launched for pods that do not exist yet', async () => {
  const { harness } = await slowOwners(start, { settings: { planExpectedPods: 'off' } })
  await createDeployment(harness, 'web', 40, ONE_PER_NODE)
  await harness.pass(1_000)
  expect((await harness.claims()).length).toBeLessThan(25)
})

test('nothing is launched for expected pods that another autoscaler serves', async () => {
  const { harness } = await slowOwners(start, {
    settings: { planExpectedPods: 'on', ignorePodsSelector: [{ key: 'app', operator: 'In', values: ['web'] }] },
  })
  await createDeployment(harness, 'web', 10, ONE_PER_NODE)
  await harness.pass(2_000)
  expect(await harness.claims()).toEqual([])
})

test('nodes for pods that do not appear are removed, and are not launched again', async () => {
  const owners = await slowOwners(start)
  const { harness } = owners
  owners.admits = 3
  await createDeployment(harness, 'web', 10, ONE_PER_NODE)
  await harness.pass(2_000)
  expect((await harness.claims()).length).toBe(4)
  await harness.pass(120_000)
  expect(await running(harness)).toBe(3)
  expect((await harness.staying()).length).toBe(3)
  expect(harness.messages('ExpectedPodsMissing').length).toBe(1)
  const known = (await harness.staying()).join()
  await harness.pass(3_600_000)
  expect((await harness.staying()).join()).toBe(known)
  // When the owner creates pods again, Kerf plans its expected pods again.
  owners.admits = Number.POSITIVE_INFINITY
  await harness.pass(120_000)
  expect(await running(harness)).toBe(10)
  expect((await harness.staying()).length).toBe(10)
})

test('a ResourceQuota limits how many pods are planned ahead', async () => {
  const owners = await slowOwners(start)
  const { harness } = owners
  owners.admits = 6
  await harness.admin.create(kinds.ResourceQuota, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'small', namespace: 'default' },
    spec: { hard: { pods: '6' } },
  })
  await createDeployment(harness, 'web', 10, ONE_PER_NODE)
  for (let step = 0; step < 60; step++) {
    const used = { pods: String((await pods(harness)).length) }
    await harness.patch(kinds.ResourceQuota, 'small', { status: { hard: { pods: '6' }, used } }, 'status')
    await harness.pass(25)
  }
  expect((await harness.claims()).length).toBe(6)
})

test('a scale-down while pods are being created leaves no additional nodes', async () => {
  const { harness } = await slowOwners(start)
  await createDeployment(harness, 'web', 40, ONE_PER_NODE)
  await harness.pass(1_000)
  await scaleDeployment(harness, 'web', 5)
  await harness.pass(180_000)
  expect(await running(harness)).toBe(5)
  const unused = (await harness.claims()).filter(({ status }) => status?.lastPodEventTime === undefined)
  expect(unused.map(({ metadata }) => metadata.name)).toEqual([])
})

test.each([50, 1_500])(
  'a drain launches one node per pod if the owner takes %i ms to create each pod',
  async (delay) => {
    const owners = await slowOwners(start)
    const { harness } = owners
    await createDeployment(harness, 'web', 10, ONE_PER_NODE)
    await harness.pass(60_000)
    const old = await harness.staying()
    expect(old.length).toBe(10)
    owners.delay = delay
    for (const name of old) await harness.admin.delete(karpenterKinds.NodeClaim, { name })
    await harness.pass(180_000)
    expect(await running(harness)).toBe(10)
    expect(await created(harness)).toBe(20)
  },
)

test('the place of an evicted pod is kept for its replacement, and no other place is planned for it', async () => {
  const owners = await slowOwners(start)
  const { harness } = owners
  await createDeployment(harness, 'web', 10, ONE_PER_NODE)
  await harness.pass(60_000)
  const budget = { selector: { matchLabels: { app: 'web' } }, minAvailable: '99%' }
  await createPodDisruptionBudget(harness, 'web', budget)
  await harness.pass(1_000)
  for (const name of await harness.staying()) await harness.admin.delete(karpenterKinds.NodeClaim, { name })
  await harness.pass(5_000)
  expect(await created(harness)).toBe(20)
  owners.delay = 1_500
  await harness.admin.delete(kinds.PodDisruptionBudget, { name: 'web', namespace: 'default' })
  const owner = (await pods(harness))[0]?.metadata.ownerReferences?.[0]?.uid ?? ''
  for (let second = 0; second < 15; second++) {
    await harness.pass(1_000)
    expect(harness.kerf.state.expectedPlaces.of(owner).size).toBe(0)
  }
  await harness.pass(60_000)
  expect(await running(harness)).toBe(10)
  expect(await created(harness)).toBe(20)
})

test('after a restart, a node that was launched for pods that never appeared is removed', async () => {
  const owners = await slowOwners(start)
  const { harness } = owners
  owners.admits = 3
  await createDeployment(harness, 'web', 10, ONE_PER_NODE)
  await harness.pass(2_000)
  expect((await harness.claims()).length).toBe(4)
  harness.restart()
  await harness.pass(180_000)
  expect((await harness.staying()).length).toBe(3)
})

test('a Job whose first pods run before the others exist is planned ahead as soon as one of them has succeeded', async () => {
  const owners = await slowOwners(start)
  const { harness } = owners
  owners.delay = 3_000
  await harness.admin.create(kinds.Job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'sums', namespace: 'default' },
    spec: {
      parallelism: 40,
      completions: 40,
      template: {
        metadata: { annotations: { 'sandbox.kerf.sh/run-for': '5s' } },
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: ONE_PER_NODE } } }],
        },
      },
    },
  } as never)
  const succeeded = async (): Promise<boolean> =>
    (await harness.admin.list(kinds.Pod)).items.some(({ status }) => status?.phase === 'Succeeded')
  for (let second = 0; second < 60 && !(await succeeded()); second++) await harness.pass(1_000)
  expect(await succeeded()).toBe(true)
  await harness.pass(2_000)
  expect(await harness.metric('kerf_expected_pods')).toBeGreaterThan(20)
})
