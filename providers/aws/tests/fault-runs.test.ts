import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import type { Fault } from '@kerf/provider-kit/testing'
import { SeededRandom } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { running, scale } from '../../../tests/integration/story/nginx-story.ts'
import { nginx } from '../../../tests/integration/story/spread-objects.ts'
import { type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'
import { nodePool } from './node-pool.ts'

const RUNS = 50

/** Throttling, faults of EC2, and connections that break before or after the work is done. */
const FAULTS: readonly Fault[] = [
  { code: 'RequestLimitExceeded', status: 503 },
  { code: 'InternalError', status: 500 },
  { code: 'InternalError', status: 500, afterwards: true },
  { code: 'network' },
  { code: 'network', afterwards: true },
]

const isGone = async (story: FakeAwsStory, kind: ResourceKind<KubeObject>): Promise<boolean> =>
  (await story.client.list(kind)).items.length === 0

/** Asserts that a fleet never launched more instances than it had NodeClaims, and that no claim was in two fleets. */
const assertNothingTwice = ({ aws }: FakeAwsStory): void => {
  const groups = Map.groupBy(aws.ec2.launches, ({ tags }) => tags['kerf.sh/nodeclaims'] ?? '')
  const seen = new Set<string>()
  for (const [group, launches] of groups) {
    const claims = group.split(' ')
    expect(launches.length, `instances launched for ${group}`).toBeLessThanOrEqual(claims.length)
    for (const claim of claims) {
      expect(seen.has(claim), `claim ${claim} launched for in two fleets`).toBe(false)
      seen.add(claim)
    }
  }
}

describe(`throttling, faults and lost responses of EC2, ${RUNS} runs`, () => {
  test.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
    'leave nothing behind and launch nothing twice (seed %i)',
    async (seed) => {
      const story = await startFakeAwsStory(seed)
      const { client, aws } = story
      const random = new SeededRandom(seed).fork('faults')
      const rate = 0.05 + random.next() * 0.35
      const chance = (): Fault | undefined =>
        random.next() < rate ? FAULTS[Math.floor(random.next() * FAULTS.length)] : undefined
      try {
        await client.create(karpenterKinds.NodePool, nodePool())
        for (const { faults } of [aws.ec2, aws.iam, aws.ssm, aws.eks, aws.sqs, aws.pricing]) faults.chance = chance
        await client.create(kinds.Deployment, nginx(10))
        await story.until('ten pods running', async () => (await running(client)).length === 10, 1_800)
        await scale(client, 0)
        await story.until('every claim gone', () => isGone(story, karpenterKinds.NodeClaim), 1_800)
        assertNothingTwice(story)
        await client.delete(karpenterKinds.NodePool, { name: 'general' })
        await client.delete(ec2NodeClassKind, { name: 'default' })
        for (const { faults } of [aws.ec2, aws.iam, aws.ssm, aws.eks, aws.sqs, aws.pricing]) faults.chance = undefined
        await story.until('the class gone', () => isGone(story, ec2NodeClassKind), 1_800)
        await story.pass(300)
        expect(aws.ec2.living().map(({ data }) => data.InstanceId)).toEqual([])
        expect([...aws.ec2.templates.keys()]).toEqual([])
        expect([...aws.iam.profiles.keys()]).toEqual([])
      } finally {
        await story.close()
      }
    },
  )
})
