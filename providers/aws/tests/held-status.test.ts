import { isConditionTrue, karpenterKinds, kinds } from '@kerf/apis'
import { sleep, type VirtualClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx } from '../../../tests/integration/story/spread-objects.ts'
import { createDefaultClass, type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'
import { nodePool } from './node-pool.ts'

const PODS = 200

/** Starts a story in which every status write of a NodeClaim takes `delay`. It also counts how often NodeClaims are listed. */
const slowStatus = async (delay: number): Promise<{ readonly story: FakeAwsStory; readonly lists: () => number }> => {
  let clock: VirtualClock | undefined
  let lists = 0
  const story = await startFakeAwsStory(1, {
    prepare: (client, _aws, own) => {
      clock = own
      return createDefaultClass(client)
    },
    interceptor: {
      before: async ({ verb, kind, subresource }, signal) => {
        if (kind?.kind !== 'NodeClaim') return
        if (verb === 'list') lists++
        if (verb === 'patch' && subresource === 'status' && clock !== undefined) await sleep(clock, delay, signal)
      },
    },
  })
  onTestFinished(() => story.close())
  return { story, lists: () => lists }
}

/** Returns the ids of the running instances. */
const instances = ({ aws }: FakeAwsStory): readonly string[] =>
  aws.ec2
    .living()
    .filter(({ endsAt }) => endsAt === undefined)
    .map(({ data }) => data.InstanceId)
    .sort()

const claimsOf = async ({ client }: FakeAwsStory) => (await client.list(karpenterKinds.NodeClaim)).items

const claimed = async (story: FakeAwsStory): Promise<readonly string[]> =>
  (await claimsOf(story)).flatMap(({ status }) => status?.providerID?.split('/').at(-1) ?? []).sort()

test('with status writes delayed by a minute, 200 pods that arrive together get nodes, and no instance is launched or terminated needlessly', async () => {
  const { story, lists } = await slowStatus(60_000)
  const { client, aws } = story
  await client.create(karpenterKinds.NodePool, nodePool({ disruption: { consolidateAfter: 'Never' } }))
  await client.create(kinds.Deployment, nginx(PODS))
  await story.until('every pod running', async () => (await running(client)).length === PODS, 900)
  await story.until(
    'every node initialized',
    async () => (await claimsOf(story)).every((claim) => isConditionTrue(claim, 'Initialized')),
    600,
  )
  expect(await claimed(story)).toHaveLength((await claimsOf(story)).length)
  expect((await claimsOf(story)).length).toBeGreaterThanOrEqual(50)
  // Every launched instance is still running and belongs to a NodeClaim.
  expect(aws.ec2.launches.map(({ id }) => id).sort()).toEqual(await claimed(story))
  expect(instances(story)).toEqual(await claimed(story))
  expect(aws.ec2.faults.count('terminateInstances')).toBe(0)

  // If every instance has a NodeClaim, garbage collection makes no requests to the API server.
  const before = lists()
  const rounds = aws.ec2.faults.count('listInstances')
  await story.pass(600)
  expect(aws.ec2.faults.count('listInstances')).toBeGreaterThan(rounds)
  expect(lists()).toBe(before)
})
