import { controllerOwner, kinds, type Milliseconds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createDeployment, type Harness, scaleDeployment } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { slowOwners } from '../../testing/slow-owners.ts'

const start = harnessPerTest()

const SECOND: Milliseconds = 1_000
const MINUTE: Milliseconds = 60_000

/** CPU requests, with the number of such pods that fit on a node of the pool. */
const REQUESTS = [
  { cpu: '3500m', perNode: 1 },
  { cpu: '420m', perNode: 9 },
  { cpu: '60m', perNode: 64 },
] as const

/** Deployments that are scaled up and down together. */
interface Flapping {
  readonly owners: number
  readonly replicas: number
  /** The number of replicas after a scale-down, or `deleted` if the Deployments are deleted and created again each time. */
  readonly low: number | 'deleted'
  /** How many pods the API server admits each time. */
  readonly admitted: number
  readonly request: (typeof REQUESTS)[number]
  /** How long the Deployments stay scaled up and down. */
  readonly up: Milliseconds
  readonly down: Milliseconds
  readonly graceSeconds: number
  /** How long the creation of one pod takes. */
  readonly podDelay: Milliseconds
}

const draw = (seed: number): Flapping => {
  const random = new SeededRandom(`flapping-${seed}`)
  const of = <T>(values: readonly [T, ...T[]]): T => values[Math.floor(random.next() * values.length)] ?? values[0]
  return {
    owners: of([1, 1, 2, 4]),
    replicas: of([3, 20, 100, 300]),
    low: of<Flapping['low']>([0, 0, 1, 'deleted']),
    admitted: of([0, 1, 3, 10]),
    request: of<(typeof REQUESTS)[number]>(REQUESTS),
    up: of([300, 2 * SECOND, 20 * SECOND, 90 * SECOND]),
    down: of([5 * SECOND, 58 * SECOND, 100 * SECOND, 5 * MINUTE]),
    graceSeconds: of([0, 1, 45]),
    podDelay: of([20, 50, 300, 2 * SECOND]),
  }
}

const FLAPS = 8

/** Returns how often Kerf may expect pods of an owner that stops needing them once in each period. The back-off doubles each time. */
const mostForecasts = ({ up, down }: Flapping): number => {
  let forecasts = 1
  while (MINUTE * 2 ** (forecasts - 1) <= up + down) forecasts++
  return forecasts
}

const launches = (harness: Harness): Promise<number> => harness.metric('karpenter_nodeclaims_created_total')

const DRAWS = Array.from({ length: 60 }, (_, index) => index + 1)
/** Draws in which a back-off that is too short, or that ends with its owner, causes too many launches. */
const ALWAYS = [20, 28, 44]

test.each(
  [...new Set([...ALWAYS, ...sampled(DRAWS, 3, 'flapping owners')])].map((seed) => [seed, draw(seed)] as const),
)(
  'owners that flap cause at most the launches that their pods need, and one for each forecast: draw %i, %j',
  async (_, drawn) => {
    const { owners, replicas, low, request } = drawn
    const slow = await slowOwners(start, { registrationDelay: '30s' })
    const { harness } = slow
    slow.delay = drawn.podDelay
    const names = Array.from({ length: owners }, (_, index) => `web-${index}`)
    const spec = { terminationGracePeriodSeconds: drawn.graceSeconds }
    if (low !== 'deleted') for (const name of names) await createDeployment(harness, name, low, request.cpu, spec)
    await harness.pass(MINUTE)
    let excess = 0
    const seen = new Set((await harness.admin.list(kinds.Pod)).items.map(({ metadata }) => metadata.uid))
    for (let flap = 0; flap < FLAPS; flap++) {
      const before = await launches(harness)
      slow.admits = drawn.admitted
      for (const name of names) {
        if (low === 'deleted') await createDeployment(harness, name, replicas, request.cpu, spec)
        else await scaleDeployment(harness, name, replicas)
      }
      await harness.pass(drawn.up)
      slow.admits = 0
      const created = (await harness.admin.list(kinds.Pod)).items.filter(({ metadata }) => !seen.has(metadata.uid))
      for (const { metadata } of created) seen.add(metadata.uid)
      for (const name of names) {
        if (low === 'deleted') await harness.admin.delete(kinds.Deployment, { name, namespace: 'default' })
        else await scaleDeployment(harness, name, low)
      }
      await harness.pass(drawn.down)
      const byOwner = Map.groupBy(created, (pod) => controllerOwner(pod)?.uid)
      const needed = byOwner.values().reduce((sum, own) => sum + Math.ceil(own.length / request.perNode), 0)
      excess += Math.max(0, (await launches(harness)) - before - needed)
    }
    expect(excess).toBeLessThanOrEqual(owners * mostForecasts(drawn))
  },
)

test('an owner that creates a pod every 70 seconds causes few launches ahead of its pods', async () => {
  const slow = await slowOwners(start)
  const { harness } = slow
  slow.delay = 70 * SECOND
  await createDeployment(harness, 'web', 20, '420m')
  await harness.pass(30 * MINUTE)
  // Nine pods fit on a node. The back-off becomes longer after each of the launches ahead.
  expect((await harness.staying()).length).toBe(3)
  expect(await launches(harness)).toBeLessThanOrEqual(3 + 4)
})

test('no pods are expected of a deleted owner, also in a namespace with a quota', async () => {
  const slow = await slowOwners(start)
  const { harness } = slow
  slow.admits = 3
  await harness.admin.create(kinds.ResourceQuota, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'large', namespace: 'default' },
    spec: { hard: { pods: '1000' } },
  })
  await createDeployment(harness, 'web', 20, '420m')
  await harness.pass(2 * SECOND)
  expect(await harness.metric('kerf_expected_pods')).toBe(17)
  await harness.admin.delete(kinds.Deployment, { name: 'web', namespace: 'default' })
  await harness.pass(2 * SECOND)
  expect(await harness.metric('kerf_expected_pods')).toBe(0)
})
