import { karpenterKinds, kinds, labels } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { claims, running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx } from '../../../tests/integration/story/spread-objects.ts'
import { type FakeAwsStory, startFakeAwsStory } from './kerf-on-fake-aws.ts'
import { nodePool } from './node-pool.ts'

const NOTICE = 120

const event = (detailType: string, detail: object): string =>
  JSON.stringify({ version: '0', source: 'aws.ec2', 'detail-type': detailType, time: '2026-01-01T00:00:00Z', detail })

const withTenPods = async (seed: number): Promise<FakeAwsStory> => {
  const story = await startFakeAwsStory(seed)
  await story.client.create(karpenterKinds.NodePool, nodePool())
  await story.client.create(kinds.Deployment, nginx(10))
  await story.until('ten pods running', async () => (await running(story.client)).length === 10)
  return story
}

/** Returns the NodeClaim and the instance of the node with the most pods. */
const victimOf = async (story: FakeAwsStory) => {
  const pods = await running(story.client)
  const podsOn = (node: string | undefined): number => pods.filter(({ spec }) => spec.nodeName === node).length
  const [claim] = (await claims(story.client)).toSorted(
    (a, b) => podsOn(b.status?.nodeName) - podsOn(a.status?.nodeName),
  )
  const name = claim?.metadata.name ?? ''
  return { claim, name, instanceId: claim?.status?.providerID?.split('/').at(-1) ?? '' }
}

const eventsFor = async (story: FakeAwsStory, name: string): Promise<readonly string[]> =>
  (await story.client.list(kinds.Event)).items
    .filter(({ involvedObject }) => involvedObject?.name === name)
    .map(({ reason = '' }) => reason)

test.each(sampled([1, 2, 3], 1, 'spot interruption'))(
  'a spot interruption drains the node, replaces it and ends the instance within the notice (seed %i)',
  async (seed) => {
    const story = await withTenPods(seed)
    try {
      const { claim, name, instanceId } = await victimOf(story)
      expect(claim?.metadata.labels?.[labels.capacityType]).toBe('spot')
      const launchedBefore = story.aws.ec2.launches.length
      const start = story.clock.monotonic()
      story.aws.sqs.send(
        event('EC2 Spot Instance Interruption Warning', { 'instance-id': instanceId, 'instance-action': 'terminate' }),
      )
      await story.until('the replacement launched', async () => story.aws.ec2.launches.length > launchedBefore, NOTICE)
      await story.until(
        'the claim gone',
        async () => !(await claims(story.client)).some(({ metadata }) => metadata.name === name),
        NOTICE,
      )
      expect(story.aws.ec2.living().some(({ data }) => data.InstanceId === instanceId)).toBe(false)
      expect(story.clock.monotonic() - start).toBeLessThan(NOTICE * 1_000)
      await story.until('ten pods running again', async () => (await running(story.client)).length === 10)
      expect(await eventsFor(story, name)).toEqual(
        expect.arrayContaining(['SpotInterrupted', 'TerminatingOnInterruption']),
      )
      // An interrupted offering is not launched again for three minutes.
      const offering = {
        type: claim?.metadata.labels?.[labels.instanceType],
        zone: claim?.metadata.labels?.[labels.zone],
      }
      const since = story.aws.ec2.launches.slice(launchedBefore)
      expect(since.filter(({ spot }) => spot).map(({ type, zone }) => ({ type, zone }))).not.toContainEqual(offering)
    } finally {
      await story.close()
    }
  },
)

test('a rebalance recommendation only publishes an event, an impaired host drains by force, and invalid messages are deleted', async () => {
  const story = await withTenPods(4)
  try {
    const { name, instanceId } = await victimOf(story)
    story.aws.sqs.send(event('EC2 Instance Rebalance Recommendation', { 'instance-id': instanceId }))
    for (const nonsense of [
      '',
      'no json',
      '[]',
      event('EC2 Spot Instance Interruption Warning', {}),
      event('Something Else', {}),
    ])
      story.aws.sqs.send(nonsense)
    await story.pass(60)
    expect(story.aws.sqs.messages.size).toBe(0)
    expect((await claims(story.client)).map(({ metadata }) => metadata.name)).toContain(name)
    expect(await eventsFor(story, name)).toContain('SpotRebalanceRecommendation')

    story.aws.ec2.statuses = [
      {
        InstanceId: instanceId,
        SystemStatus: {
          Status: 'impaired',
          Details: [{ Name: 'reachability', Status: 'failed', ImpairedSince: new Date(story.clock.now()) }],
        },
      },
    ]
    await story.until(
      'the claim gone',
      async () => !(await claims(story.client)).some(({ metadata }) => metadata.name === name),
      300,
    )
    expect(await story.metrics.text()).toContain(
      'karpenter_interruption_instance_status_unhealthy_total{category="system_status"} 1',
    )
  } finally {
    await story.close()
  }
})

const THREE_MINUTES = 180_000

interface Shortage {
  readonly what: string
  readonly short: OfferingPattern
  /** The kind of offering that Kerf launches in place of the unavailable one, without another pass of the provisioner. */
  readonly instead: { readonly spot: boolean }
}

const shortages: readonly Shortage[] = [
  // EC2 tries the cheapest offering first, then launches the next one in the same fleet.
  {
    what: 'an offering',
    short: { capacityType: 'spot', instanceType: 'c5.large', zone: 'us-east-1a' },
    instead: { spot: true },
  },
  // No offering of the fleet has capacity, so Kerf launches the NodeClaim again as on-demand.
  { what: 'spot as a whole', short: { capacityType: 'spot' }, instead: { spot: false } },
]

test.each(sampled(shortages, 1, 'shortages on AWS'))(
  '$what without capacity is replaced at once, is not tried for three minutes, and is tried again after that',
  async ({ short, instead }) => {
    const story = await startFakeAwsStory(5)
    try {
      const { ec2 } = story.aws
      ec2.stockOuts.push(short)
      /** Returns the times of the requests for the unavailable offerings. */
      const tries = (): readonly number[] =>
        ec2.fleets
          .filter(({ capacityType }) => capacityType === short.capacityType)
          .filter(({ overrides }) =>
            overrides.some(({ type, zone }) => type === (short.instanceType ?? type) && zone === (short.zone ?? zone)),
          )
          .map(({ at }) => at)
      const grow = async (replicas: number): Promise<void> => {
        await story.client.patch(
          kinds.Deployment,
          { name: 'nginx', namespace: 'default' },
          { type: 'merge', body: { spec: { replicas } } },
        )
        await story.until(`${replicas} pods running`, async () => (await running(story.client)).length === replicas)
      }
      await story.client.create(karpenterKinds.NodePool, nodePool())
      await story.client.create(kinds.Deployment, nginx(2))
      await story.until('the pods running', async () => (await running(story.client)).length === 2)
      const [first = Number.NaN] = tries()
      const [launch] = ec2.launches
      expect(launch?.spot).toBe(instead.spot)
      // Another pass of the provisioner would take longer: it needs a batching window of a second, and another NodeClaim.
      expect((launch?.at ?? Number.NaN) - first).toBeLessThan(1_000)
      expect(await story.metrics.text()).not.toContain('reason="insufficient_capacity"')

      // The Deployment keeps growing, and each new pod needs an instance.
      let replicas = 2
      while (story.clock.monotonic() < first + THREE_MINUTES + 60_000) {
        replicas += 2
        await grow(replicas)
      }
      const isMeanwhile = (at: number): boolean => at > first && at < first + THREE_MINUTES
      const launches = ec2.launches.map(({ at }) => at)
      expect(launches.filter(isMeanwhile).length).toBeGreaterThan(3)
      expect(Math.max(...launches.filter(isMeanwhile))).toBeGreaterThan(first + THREE_MINUTES - 40_000)
      expect(tries().filter(isMeanwhile)).toEqual([])
      const [again = Number.NaN] = tries().filter((at) => !isMeanwhile(at) && at !== first)
      expect(again).toBeGreaterThanOrEqual(first + THREE_MINUTES)
      expect(again).toBeLessThan(first + THREE_MINUTES + 60_000)

      // When an offering has capacity again, Kerf launches it three minutes after its last failure.
      ec2.stockOuts.length = 0
      const lastMissed = Math.max(...tries())
      await story.pass((lastMissed + THREE_MINUTES - story.clock.monotonic()) / 1_000)
      const before = ec2.launches.length
      await grow(replicas + 2)
      const { type, zone, spot } = ec2.launches[before] ?? {}
      expect({ type, zone, spot }).toEqual({ type: 'c5.large', zone: 'us-east-1a', spot: true })
    } finally {
      await story.close()
    }
  },
)
