import { karpenterKinds, kinds, type Milliseconds } from '@kerf/apis'
import { sleep, type VirtualClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { running } from '../story/nginx-story.ts'
import { createDefaultClass, type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'
import { nodePool, spreadNginx } from './manifests.ts'

/** So long the API server works on each of Kerf's calls, one after the other, as on a machine with too much to do. */
const SERVICE: Milliseconds = 150

/** After so long without a status, garbage collection looks for an instance's NodeClaim. */
const WINDOW = 30

interface SlowCluster {
  readonly story: FakeAwsStory
  /** From now on its calls are slow. */
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

/** How many seconds after its launch the last instance came to be named by the status of its claim; looked at every second. */
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
  'on a busy machine, %i pods get one node each, and no instance is ended for its late status',
  async (replicas) => {
    const { story, slowDown } = await startSlowCluster()
    const { client, aws } = story
    await client.create(karpenterKinds.NodePool, nodePool({ disruption: { consolidateAfter: 'Never' } }))
    await story.pass(30)
    slowDown()
    await client.create(kinds.Deployment, spreadNginx(replicas))
    // The busy machine was one: instances were without a status for longer than garbage collection gives them.
    expect(await longestUnnamed(story, replicas)).toBeGreaterThan(WINDOW)
    await story.pass(180)
    expect(await running(client)).toHaveLength(replicas)
    expect(aws.ec2.launches).toHaveLength(replicas)
    expect(aws.ec2.faults.count('terminateInstances')).toBe(0)
    expect(aws.ec2.living().filter(({ endsAt }) => endsAt !== undefined)).toEqual([])
  },
  300_000,
)
