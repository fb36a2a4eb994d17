import { capacityTypes, karpenterKinds, labels } from '@kerf/apis'
import { mapLimit } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { awsLabels } from '../label-names.ts'
import { awsTags, clusterTag } from '../labels.ts'
import { type AwsHarness, createAwsHarness, never } from '../testing/aws-harness.ts'
import { awsProviderId } from './provider-id.ts'

const TAGS = {
  [awsTags.nodePool]: 'default',
  [awsTags.nodeClass]: 'default',
  [awsTags.clusterName]: 'demo',
  [clusterTag('demo')]: 'owned',
}

const plant = ({ aws }: AwsHarness, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    aws.ec2.plant({ ...TAGS, [awsTags.nodeClaim]: `claim-${index}` }, 3_600_000),
  )

const asked = ({ aws }: AwsHarness): number =>
  aws.requests.made.filter(({ action }) => action === 'DescribeInstances').length

test('after a start, existing instances are read with a single listing instead of one by one', async () => {
  const harness = await createAwsHarness()
  try {
    const ids = plant(harness, 120)
    const provider = harness.newProvider()
    const before = asked(harness)
    const views = await mapLimit(ids, 10, (id) => provider.get(awsProviderId('us-east-1a', id), never), never)
    expect(views.map(({ nodeClaimName }) => nodeClaimName)).toEqual(ids.map((_, index) => `claim-${index}`))
    expect(asked(harness) - before).toBe(1)
  } finally {
    harness.stop()
  }
})

test('if the first listing fails, instances are read by id', async () => {
  const harness = await createAwsHarness()
  try {
    const [id = ''] = plant(harness, 1)
    harness.aws.ec2.faults.next('listInstances', { code: 'RequestLimitExceeded', status: 503 })
    const view = await harness.newProvider().get(awsProviderId('us-east-1a', id), never)
    expect(view.nodeClaimName).toBe('claim-0')
  } finally {
    harness.stop()
  }
})

test.each([
  { count: 40, calls: 1, listings: 0 },
  { count: 501, calls: 0, listings: 1 },
])('$count reserved nodes need at most one request per round', async ({ count, calls, listings }) => {
  const harness = await createAwsHarness({ settings: { interruptionQueue: '' } })
  try {
    const { aws, client, clock } = harness
    const ids = plant(harness, count)
    const reserve = (id: string, reservation: string | undefined): void => {
      const instance = aws.ec2.instances.get(id)
      if (instance === undefined) throw new Error(`${id} runs`)
      const { CapacityReservationId: _, ...data } = instance.data
      const CapacityReservationSpecification = { CapacityReservationPreference: 'capacity-reservations-only' as const }
      aws.ec2.instances.set(id, {
        ...instance,
        data: {
          ...data,
          ...(reservation === undefined
            ? {}
            : { CapacityReservationId: reservation, CapacityReservationSpecification }),
        },
      })
    }
    for (const [index, id] of ids.entries()) {
      reserve(id, 'cr-1')
      const claim = await harness.claim(`claim-${index}`)
      const reserved = {
        [labels.capacityType]: capacityTypes.reserved,
        [awsLabels.capacityReservationId]: 'cr-1',
      }
      const { name = '' } = claim.metadata
      await client.patch(
        karpenterKinds.NodeClaim,
        { name },
        { type: 'merge', body: { metadata: { labels: reserved } } },
      )
      await client.patch(
        karpenterKinds.NodeClaim,
        { name },
        { type: 'merge', body: { status: { providerID: awsProviderId('us-east-1a', id) } } },
        { subresource: 'status' },
      )
    }
    // After this time, garbage collection runs every two minutes. In every second minute, only the reservation controller reads instances.
    await clock.advance(301_000)
    const before = { calls: aws.ec2.faults.count('describeInstances'), listings: aws.ec2.faults.count('listInstances') }
    await clock.advance(120_000)
    expect(aws.ec2.faults.count('describeInstances') - before.calls).toBe(2 * calls)
    expect(aws.ec2.faults.count('listInstances') - before.listings).toBe(2 * listings + 1)
    const types = async () =>
      (await client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.labels?.[labels.capacityType])
    expect(new Set(await types())).toEqual(new Set([capacityTypes.reserved]))
    reserve(ids[0] ?? '', undefined)
    await clock.advance(61_000)
    expect((await types()).filter((type) => type === capacityTypes.onDemand)).toHaveLength(1)
  } finally {
    harness.stop()
  }
})

test('a new leader that waited for a long time finds what the previous leader launched', async () => {
  const harness = await createAwsHarness()
  try {
    const standby = harness.newProvider()
    await harness.clock.advance(2 * 3_600_000)
    const [a, b] = [await harness.claim('a'), await harness.claim('b')]
    const launched = await Promise.all([a, b].map((claim) => harness.provider.create(claim, never)))
    // The leader stopped before it saved the result.
    expect((await standby.create(b, never)).providerID).toBe(launched.map(({ providerID }) => providerID).toSorted()[0])
    expect((await standby.create(a, never)).providerID).toBe(launched.map(({ providerID }) => providerID).toSorted()[1])
    expect(harness.aws.ec2.launches).toHaveLength(2)
  } finally {
    harness.stop()
  }
})
