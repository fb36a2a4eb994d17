import { findCondition, karpenterKinds, kinds } from '@kerf/apis'
import type { Fault } from '@kerf/provider-kit/testing'
import { SeededRandom } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { running, scale } from '../../../tests/integration/story/nginx-story.ts'
import { spreadNginx } from '../../../tests/integration/story/spread-objects.ts'
import { type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'
import { nodePool } from './node-pool.ts'

const PODS = 200

/**
 * Runs one pod for longer than a minute. After that, Kerf has cached everything that a launch needs, so the faults of the test affect only
 * CreateFleet. The NodeClaims are so young that Kerf does not look for launches of an earlier run.
 */
const warmUp = async (story: FakeAwsStory): Promise<void> => {
  const { client } = story
  await client.create(karpenterKinds.NodePool, nodePool())
  await client.create(kinds.Deployment, spreadNginx(1))
  await story.until('the first pod running', async () => (await running(client)).length === 1)
  await story.pass(90)
  expect(story.aws.ec2.launches).toHaveLength(1)
}

/** The faults that a connection can cause during a launch. */
const CUTS: readonly Fault[] = [
  { code: 'network' },
  { code: 'network', afterwards: true },
  { code: 'InternalError', status: 500, afterwards: true },
  { code: 'RequestLimitExceeded', status: 503 },
]

/** Asserts that every pod has a node, that exactly one instance per pod was launched, and that no instance was terminated. */
const assertNothingForNothing = async ({ client, aws }: FakeAwsStory): Promise<void> => {
  const { items: claims } = await client.list(karpenterKinds.NodeClaim)
  expect(aws.ec2.launches).toHaveLength(PODS)
  expect(aws.ec2.faults.count('terminateInstances')).toBe(0)
  expect(aws.ec2.living().filter(({ endsAt }) => endsAt !== undefined)).toEqual([])
  expect(new Set(claims.map(({ status }) => status?.providerID)).size).toBe(PODS)
  for (const claim of claims) expect(findCondition(claim, 'Launched')?.status).toBe('True')
}

describe(`${PODS} pods at once`, () => {
  test('are launched with few CreateFleet calls, because nodes of the same shape share a fleet', async () => {
    const story = await startFakeAwsStory(1)
    const { client, aws } = story
    try {
      await client.create(karpenterKinds.NodePool, nodePool())
      await client.create(kinds.Deployment, spreadNginx(PODS))
      await story.until('every pod running', async () => (await running(client)).length === PODS, 600)
      await assertNothingForNothing(story)
      expect(aws.ec2.faults.count('createFleet')).toBeLessThanOrEqual(4)
      expect(aws.ec2.fleets.reduce((sum, { asked }) => sum + asked, 0)).toBe(PODS)
    } finally {
      await story.close()
    }
  })

  test.each([1, 2, 3])(
    'with connections cut while CreateFleet is under way, get one node each (seed %i)',
    async (seed) => {
      const story = await startFakeAwsStory(seed)
      const { client, aws } = story
      const random = new SeededRandom(seed).fork('cuts')
      let calls = 0
      try {
        await warmUp(story)
        // The first launch always fails, and then two of three launches, up to the twelfth call.
        aws.ec2.faults.chance = (call) => {
          if (call !== 'createFleet') return undefined
          calls++
          return calls === 1 || (calls < 12 && random.next() < 2 / 3)
            ? CUTS[Math.floor(random.next() * CUTS.length)]
            : undefined
        }
        await scale(client, PODS)
        await story.until('every pod running', async () => (await running(client)).length === PODS, 900)
        expect(calls).toBeGreaterThan(1)
        await story.pass(300)
        await assertNothingForNothing(story)
        // After a cut connection, Kerf repeats the call once for all of its NodeClaims. The limit includes these repeated calls.
        expect(calls).toBeLessThanOrEqual(40)
      } finally {
        await story.close()
      }
    },
    300_000,
  )

  test('with every answer of CreateFleet lost for a minute, get one node each', async () => {
    const story = await startFakeAwsStory(4)
    const { client, aws, clock } = story
    try {
      await warmUp(story)
      const end = clock.monotonic() + 60_000
      aws.ec2.faults.chance = (call) =>
        call === 'createFleet' && clock.monotonic() < end ? { code: 'network', afterwards: true } : undefined
      await scale(client, PODS)
      await story.until('every pod running', async () => (await running(client)).length === PODS, 900)
      await assertNothingForNothing(story)
    } finally {
      await story.close()
    }
  })
})
