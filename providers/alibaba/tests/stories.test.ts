import { karpenterKinds, kinds } from '@kerf/apis'
import { nodeName, ZONES } from '@kerf/provider-alibaba/testing'
import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { classMistakes, hindrances, startFaults } from './faults.ts'
import { story } from './kerf-on-fake-alibaba.ts'

const LAUNCH = 'CreateAutoProvisioningGroup'
/** The maximum number of launch attempts in four minutes while every launch fails. */
const MOST_LAUNCHES = 30

/** Scenarios that cover the whole life of a cluster. A normal run plays one of them, chosen by the commit. */
const lives: readonly (readonly [what: string, play: () => Promise<void>])[] = [
  [
    'ten pods get nodes, and after the scale-down nothing is left',
    async () => {
      const { runs, leavesNothing, instances, cloud } = await story({ replicas: 10 })
      await runs(10)
      expect(instances().length).toBeGreaterThan(0)
      await leavesNothing()
      expect(cloud.problems).toEqual([])
    },
  ],
  [
    'nodes with an old image are replaced after ACK publishes a new one',
    async () => {
      const { account, runs, until, instances, leavesNothing } = await story()
      await runs()
      account.images = account.images.map((image) => ({ ...image, id: image.id.replace('20250117', '20260117') }))
      const isNew = async (): Promise<boolean> => instances().every(({ image }) => image.includes('20260117'))
      await until('every instance with the new image', isNew, 2_400)
      await runs()
      await leavesNothing()
    },
  ],
  [
    'the notice of an interruption replaces a spot node before ECS releases it',
    async () => {
      const { account, client, clock, runs, until, instances, end, events, leavesNothing } = await story({
        capacityType: 'spot',
      })
      await runs()
      const [instance] = instances()
      const id = instance?.id ?? ''
      const { status } = await client.get(kinds.Node, { name: nodeName(id) })
      const lastTransitionTime = new Date(clock.now()).toISOString()
      const expired = { type: 'InstanceExpired', status: 'True', reason: 'Recycling', message: '', lastTransitionTime }
      const conditions = [...(status?.conditions ?? []), expired]
      await client.patch(
        kinds.Node,
        { name: nodeName(id) },
        { type: 'merge', body: { status: { conditions } } },
        { subresource: 'status' },
      )
      await until('the instance released', async () => account.instances.get(id)?.endsAt !== undefined, 300)
      expect(await events()).toContain('TerminatingOnInterruption')
      end(id)
      await runs()
      expect(instances().every(({ isSpot }) => isSpot)).toBe(true)
      await leavesNothing()
    },
  ],
  [
    'a zone without stock is left out',
    async () => {
      const { runs, instances, leavesNothing } = await story({
        before: ({ account }) => {
          account.outOfStock = [{ zone: ZONES[0] }, { zone: ZONES[1] }]
        },
      })
      await runs()
      expect(new Set(instances().map(({ zone }) => zone))).toEqual(new Set([ZONES[2]]))
      await leavesNothing()
    },
  ],
  [
    'an instance that never starts is replaced, and released when ECS accepts it',
    async () => {
      const harness = await story()
      await harness.runs()
      const before = new Set(harness.instances().map(({ id }) => id))
      const launched = () => harness.instances().filter(({ id }) => !before.has(id))
      harness.account.options.startsFor = 2 * 3_600_000
      await harness.scale(40)
      await harness.until('a launch', async () => launched().length > 0)
      const stuck = launched().map(({ id }) => id)
      harness.account.options.startsFor = 8_000
      await harness.runs(40, 2_400)
      expect(await harness.events()).toMatch(
        /FailedTermination: .*instance \S+ is Starting since \S+, and ECS does not release it.*ask the support of Alibaba Cloud/,
      )
      expect(launched().map(({ id }) => id)).toEqual(expect.arrayContaining(stuck))
      await harness.until(
        'the stuck instances released',
        async () => launched().every(({ id }) => !stuck.includes(id)),
        2 * 3_600,
      )
      const claims = async () => (await harness.client.list(karpenterKinds.NodeClaim)).items.length
      await harness.until('a claim for each instance', async () => (await claims()) === harness.instances().length)
      await harness.leavesNothing()
    },
  ],
]

test.each(sampled(lives, 1, 'lives on Alibaba Cloud'))('%s', (_, play) => play())

describe.each(sampled(startFaults, 1, 'faults of Alibaba Cloud at the start'))('$what', ({ options, end, says }) => {
  test('a condition and an event state the remedy, nothing is launched, and Kerf continues after the change', async () => {
    const harness = await story(options)
    await harness.pass(120)
    expect(await harness.condition('InstanceTypesReady')).toMatch(new RegExp(`^Unknown ${says.source}`))
    expect(await harness.condition('Ready')).toMatch(/^Unknown/)
    expect(await harness.events()).toMatch(says)
    expect(harness.cloud.count(LAUNCH)).toBe(0)
    await end(harness)
    await harness.runs()
    await harness.leavesNothing()
  })
})

describe.each(sampled(classMistakes, 1, 'mistakes in classes of Alibaba Cloud'))(
  '$what',
  ({ spec, condition, says, repaired }) => {
    test('a condition and an event state the remedy, other NodePools launch, and this one launches after the change', async () => {
      const harness = await story({ spec })
      await harness.runsElsewhere()
      expect(await harness.run()).toBe(0)
      expect(await harness.condition(condition)).toMatch(says)
      expect(await harness.events()).toMatch(says)
      expect(harness.cloud.count(LAUNCH)).toBe(1)
      await harness.changeClass(repaired)
      await harness.runs()
      expect(await harness.condition(condition)).not.toMatch(says)
      await harness.leavesNothing()
    })
  },
)

describe.each(sampled(hindrances, 1, 'hindrances of Alibaba Cloud'))('$what', ({ begin, end, says, other }) => {
  test('an event states the remedy, existing nodes stay, and new nodes are launched when the fault ends', async () => {
    const harness = await story()
    await harness.runs()
    const before = harness.instances().map(({ id }) => id)
    const launches = harness.cloud.count(LAUNCH)
    await begin(harness)
    await harness.scale(40)
    await harness.pass(240)
    expect(`${await harness.events()}\n${await harness.launches()}`).toMatch(says)
    expect(harness.cloud.count(LAUNCH) - launches).toBeLessThanOrEqual(MOST_LAUNCHES)
    expect(harness.instances().map(({ id }) => id)).toEqual(before)
    expect(await harness.run()).toBeGreaterThanOrEqual(3)
    if (other !== undefined) await harness.runsElsewhere(other)
    await end(harness)
    await harness.runs(40, 1_200)
    await harness.leavesNothing()
  })
})
