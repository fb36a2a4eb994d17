import { karpenterKinds, kinds, type Milliseconds } from '@kerf/apis'
import { sleep, type VirtualClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { spreadNginx } from '../../../tests/integration/story/spread-objects.ts'
import { createDefaultClass, type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'
import { nodePool } from './node-pool.ts'

/** How long the API server takes for each of Kerf's calls. It handles them one after the other, like an overloaded machine. */
const SERVICE: Milliseconds = 150

/** If an instance is missing from all NodeClaim statuses for this many seconds, garbage collection searches for its NodeClaim. */
const WINDOW = 30

interface SlowCluster {
  readonly story: FakeAwsStory
  /** From now on, makes Kerf's calls slow. */
  slowDown(): void
}

const startSlowCluster = async (): Promise<SlowCluster> => {
  let clock: VirtualClock | undefined
  let isSlow = false
  let freeAt = 0
  const story = await startFakeAwsStory(1, {
    prepare: (client, _aws, own) => {
      clock = own
      return createDefaultClass(client)
    },
    interceptor: {
      before: async ({ verb }, signal) => {
        if (!isSlow || verb === 'watch' || clock === undefined) return
        const now = clock.monotonic()
        freeAt = Math.max(freeAt, now) + SERVICE
        await sleep(clock, freeAt - now, signal)
      },
    },
  })
  onTestFinished(() => story.close())
  return {
    story,
    slowDown: () => {
      isSlow = true
    },
  }
}

/**
 * Returns the longest time in seconds between the launch of an instance and the update of its NodeClaim's status. Samples once a second.
 */
const longestUnnamed = async ({ client, aws, clock, pass }: FakeAwsStory, replicas: number): Promise<number> => {
  let longest = 0
  const named = new Set<string | undefined>()
  for (let second = 0; second < 900 && (await running(client)).length < replicas; second++) {
    await pass(1)
    const { items: claims } = await client.list(karpenterKinds.NodeClaim)
    const ids = new Set(claims.map(({ status }) => status?.providerID?.split('/').at(-1)))
    for (const { data } of aws.ec2.living()) {
      if (named.has(data.InstanceId) || !ids.has(data.InstanceId)) continue
      named.add(data.InstanceId)
      longest = Math.max(longest, (clock.now() - (data.LaunchTime?.getTime() ?? 0)) / 1_000)
    }
  }
  return longest
}

test.each([100, 200])(
  'on a busy machine, %i pods get one node each, and no instance is ended because its status is late',
  async (replicas) => {
    const { story, slowDown } = await startSlowCluster()
    const { client, aws } = story
    await client.create(karpenterKinds.NodePool, nodePool({ disruption: { consolidateAfter: 'Never' } }))
    await story.pass(30)
    slowDown()
    await client.create(kinds.Deployment, spreadNginx(replicas))
    // Checks that the simulated load is high enough: at least one instance was missing from the statuses for longer than this window.
    expect(await longestUnnamed(story, replicas)).toBeGreaterThan(WINDOW)
    await story.pass(180)
    expect(await running(client)).toHaveLength(replicas)
    expect(aws.ec2.launches).toHaveLength(replicas)
    expect(aws.ec2.faults.count('terminateInstances')).toBe(0)
    expect(aws.ec2.living().filter(({ endsAt }) => endsAt !== undefined)).toEqual([])
  },
  300_000,
)
