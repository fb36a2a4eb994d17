import { karpenterKinds, kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { leavesNothing, type Story, story } from './gcp-story.ts'

const INSERT = 'compute.instances.insert'

const imagesOfClaims = async ({ client }: Story): Promise<readonly string[]> =>
  (await client.list(karpenterKinds.NodeClaim)).items.map(({ status }) => status?.imageID ?? '')

test('nodes with an old image are replaced after GKE publishes a new one', async () => {
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
})

test('a spot node that shuts down is replaced by another offering before its instance is gone', async () => {
  const harness = await story({ capacityType: 'spot' })
  await harness.runs()
  const { client, gcp } = harness
  const [preempted] = gcp.instances.all()
  if (preempted === undefined) throw new Error('there is no instance')
  const { zone, facts, body } = preempted
  const { status } = await client.get(kinds.Node, { name: body.name })
  const shutdown = { status: 'False', reason: 'KubeletNotReady', message: 'node is shutting down' }
  const conditions = (status?.conditions ?? []).map((each) => (each.type === 'Ready' ? { ...each, ...shutdown } : each))
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
})

test('instances that the service accepts and cannot create for lack of capacity are launched in another zone', async () => {
  const harness = await story({
    before: ({ instances }) => {
      for (const zone of ['us-central1-a', 'us-central1-b'])
        instances.failures.push({ code: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', offerings: { zone } })
    },
  })
  await harness.runs()
  expect(harness.zones()).toEqual(['us-central1-c'])
  expect(await harness.events()).toMatch(/InsufficientCapacityError: .*POOL_EXHAUSTED.*Kerf tries other offerings/)
  // The type that Kerf prefers is tried once in each zone without capacity.
  const failed = harness.gcp.count(INSERT) - harness.instances().length
  expect(failed).toBeGreaterThan(0)
  expect(failed).toBeLessThanOrEqual(2)
  await leavesNothing(harness)
})
