import { karpenterKinds, kinds } from '@kerf/apis'
import { gceNodeClassKind } from '@kerf/provider-gcp/node-class'
import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { classMistakes, hindrances, startFaults } from './faults.ts'
import { leavesNothing, otherPool, type Story, scale, story } from './gcp-story.ts'

const INSERT = 'compute.instances.insert'

const imagesOfClaims = async ({ client }: Story): Promise<readonly string[]> =>
  (await client.list(karpenterKinds.NodeClaim)).items.map(({ status }) => status?.imageID ?? '')

/** Scenarios that cover the whole life of a cluster. A normal run plays one of them, chosen by the commit. */
const lives: readonly (readonly [what: string, play: () => Promise<void>])[] = [
  [
    'nodes with an old image are replaced after GKE publishes a new one',
    async () => {
      const harness = await story()
      await harness.runs()
      const before = harness.instances()
      await harness.publish('125-19216-220-99')
      await harness.until(
        'every node with the new image',
        async () => {
          const images = await imagesOfClaims(harness)
          return images.length > 0 && images.every((image) => image.includes('220-99'))
        },
        2_400,
      )
      await harness.runs()
      expect(harness.instances().filter((name) => before.includes(name))).toEqual([])
      await leavesNothing(harness)
    },
  ],
  [
    'a spot node that shuts down is replaced by another offering before its instance is gone',
    async () => {
      const harness = await story({ capacityType: 'spot' })
      await harness.runs()
      const { client, gcp } = harness
      const [preempted] = gcp.instances.all()
      if (preempted === undefined) throw new Error('there is no instance')
      const { zone, facts, body } = preempted
      const { status } = await client.get(kinds.Node, { name: body.name })
      const shutdown = { status: 'False', reason: 'KubeletNotReady', message: 'node is shutting down' }
      const conditions = (status?.conditions ?? []).map((each) =>
        each.type === 'Ready' ? { ...each, ...shutdown } : each,
      )
      const change = { type: 'merge', body: { status: { conditions } } } as const
      await client.patch(kinds.Node, { name: body.name }, change, { subresource: 'status' })
      gcp.instances.preempt(zone, body.name)
      await harness.until('the instance gone', async () => !harness.instances().includes(body.name))
      await harness.runs()
      expect(await harness.events()).toContain('TerminatingOnInterruption: Compute Engine stops the instance of node')
      const now = gcp.instances.all()
      expect(now.map(({ body: { scheduling } }) => scheduling?.provisioningModel)).toEqual(now.map(() => 'SPOT'))
      expect(now.filter((each) => each.zone === zone && each.facts.name === facts.name)).toEqual([])
      await leavesNothing(harness)
    },
  ],
  [
    'instances that the service accepts and cannot create for lack of capacity are launched in another zone',
    async () => {
      const without = { code: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', offerings: {} } as const
      const harness = await story({ before: ({ instances }) => void instances.failures.push(without) })
      const { gcp } = harness
      const zones = () => gcp.instances.all().map(({ zone }) => zone)
      await harness.until('a first instance', async () => zones().length > 0)
      const [first = ''] = zones()
      // From here on, the other zones have capacity.
      gcp.instances.failures = [{ ...without, offerings: { zone: first } }]
      await harness.runs()
      expect(harness.zones()).not.toContain(first)
      expect(await harness.events()).toMatch(/InsufficientCapacityError: .*POOL_EXHAUSTED.*Kerf tries other offerings/)
      // Kerf tries the preferred instance type once in the zone without capacity.
      expect(gcp.count(INSERT) - harness.instances().length).toBe(1)
      await leavesNothing(harness)
    },
  ],
  [
    'a creation that never ends is given up after five minutes: its instance is deleted, and another offering is tried',
    async () => {
      const harness = await story()
      await harness.runs()
      const before = harness.instances()
      const { instances } = harness.gcp
      const { durations } = instances
      instances.durations = { ...durations, insert: 24 * 3_600_000 }
      await scale(harness, 6)
      const launched = () => instances.all().filter(({ body }) => !before.includes(body.name))
      await harness.until('a launch', async () => launched().length > 0)
      const [stuck] = launched()
      instances.durations = durations
      await harness.runs(6, 900)
      expect(await harness.events()).toMatch(
        /InstanceCreationTimeout: .*within 5 minutes; Kerf deletes it and tries another offering\. See "gcloud compute operations describe/,
      )
      expect(harness.instances()).toEqual(expect.arrayContaining([...before]))
      const [instead, ...more] = launched()
      expect(more).toEqual([])
      expect(instead?.body.name).not.toBe(stuck?.body.name)
      expect([instead?.zone, instead?.facts.name]).not.toEqual([stuck?.zone, stuck?.facts.name])
      const { items } = await harness.client.list(karpenterKinds.NodeClaim)
      expect(items).toHaveLength(harness.instances().length)
      await leavesNothing(harness)
    },
  ],
]

test.each(sampled(lives, 1, 'lives'))('%s', (_, play) => play())

describe.each(sampled(startFaults, 1, 'faults at the start'))('$what', ({ options, end, says }) => {
  test('a condition and an event state the remedy, nothing is launched, and Kerf continues after the change', async () => {
    const harness = await story(options)
    await harness.pass(120)
    expect(await harness.condition('InstanceTypesReady')).toMatch(new RegExp(`^Unknown ${says.source}`))
    expect(await harness.condition('Ready')).toMatch(/^Unknown/)
    expect(await harness.events()).toMatch(says)
    expect(harness.gcp.count(INSERT)).toBe(0)
    await end(harness)
    await harness.runs()
    await leavesNothing(harness)
  })
})

describe.each(sampled(classMistakes, 1, 'mistakes in classes'))('$what', ({ options, condition, says, repaired }) => {
  test('a condition and an event state the remedy, other NodePools launch, and this one launches after the change', async () => {
    const harness = await story(options)
    const runsElsewhere = await otherPool(harness)
    await runsElsewhere()
    expect(await harness.run()).toBe(0)
    expect(await harness.condition(condition)).toMatch(says)
    expect(await harness.events()).toMatch(says)
    expect(harness.gcp.count(INSERT)).toBe(1)
    const body = { spec: repaired }
    await harness.client.patch(gceNodeClassKind, { name: 'default' }, { type: 'merge', body })
    await harness.runs()
    expect(await harness.condition(condition)).not.toMatch(says)
    await leavesNothing(harness)
  })
})

/** The maximum number of inserts in four minutes while every insert fails. */
const MOST_INSERTS = 30

describe.each(sampled(hindrances, 1, 'hindrances'))('$what', ({ begin, end, says, other }) => {
  test('an event states the remedy, existing nodes stay, and new nodes are launched when the fault ends', async () => {
    const harness = await story()
    await harness.runs()
    const before = harness.instances()
    const { gcp } = harness
    const inserts = gcp.count(INSERT)
    begin(gcp)
    await scale(harness, 15)
    await harness.pass(240)
    expect(await harness.events()).toMatch(says)
    expect(gcp.count(INSERT) - inserts).toBeLessThanOrEqual(MOST_INSERTS)
    expect(harness.instances()).toEqual(expect.arrayContaining([...before]))
    expect(await harness.run()).toBeGreaterThanOrEqual(3)
    if (other !== undefined) await (await otherPool(harness, other))()
    await end(gcp)
    await harness.runs(15, 1_200)
    await leavesNothing(harness)
  })
})
