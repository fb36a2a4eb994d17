import { karpenterKinds, labels } from '@kerf/apis'
import { expect, test } from 'vitest'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsLabels } from '../label-names.ts'
import { createAwsHarness, never } from '../testing/aws-harness.ts'
import { ec2Type } from '../testing/type-table.ts'
import { type AskedOffering, entryOfferings } from './asked-offering.ts'

const is = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

const asked: readonly AskedOffering[] = [
  ['a', 'lt-1', 'm5.large', 'us-east-1a'],
  ['b', 'lt-1', 'm5.large', 'us-east-1b'],
  ['c', 'lt-2', 'm6g.large', 'us-east-1b'],
].map(([subnet = '', id = '', instanceType = '', zone = '']) => ({
  instanceType,
  zone,
  subnetId: `subnet-${subnet}`,
  imageId: 'ami-1',
  template: { id, name: `name of ${id}` },
  efaCount: 0,
  reservation: undefined,
}))
const [first, second, third] = asked

test.each([
  ['type and zone', { Overrides: { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1b' } }, [second]],
  ['the type alone', { Overrides: { InstanceType: 'm5.large' } }, [first, second]],
  ['the subnet', { Overrides: { SubnetId: 'subnet-c' } }, [third]],
  ['the id of the template', { LaunchTemplateSpecification: { LaunchTemplateId: 'lt-2', Version: '1' } }, [third]],
  ['its name', { LaunchTemplateSpecification: { LaunchTemplateName: 'name of lt-2' } }, [third]],
  [
    'a template that is not known',
    { LaunchTemplateSpecification: { LaunchTemplateId: 'lt-9' }, Overrides: { InstanceType: 'm6g.large' } },
    [third],
  ],
  ['an offering that was not requested', { Overrides: { InstanceType: 'c5.large' } }, []],
  ['nothing', {}, asked],
] as const)('an entry that says %s', (_, LaunchTemplateAndOverrides, expected) => {
  const entry = { LaunchTemplateAndOverrides } as Parameters<typeof entryOfferings>[0]
  expect(entryOfferings(entry, asked)).toEqual(expected)
})

test('the location of the instance may be outside its override', () => {
  const entry = { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1b', SubnetId: 'subnet-b' } as const
  expect(entryOfferings(entry, asked)).toEqual([second])
})

test.each([false, true])(
  'an instance of one of several launch templates has its EFA interfaces (terse answers: %s)',
  async (isTerse) => {
    const harness = await createAwsHarness({
      before: ({ ec2 }) => {
        ec2.types = ['c6i.32xlarge', 'c7gn.16xlarge'].map(ec2Type)
        ec2.isTerse = isTerse
      },
    })
    try {
      const { provider, aws } = harness
      const view = await provider.create(
        await harness.claim('a', { requests: { 'vpc.amazonaws.com/efa': '1' } }),
        never,
      )
      expect(aws.ec2.templates.size).toBeGreaterThan(1)
      expect(view.capacity['vpc.amazonaws.com/efa']).toBe('1')
      expect(view.allocatable['vpc.amazonaws.com/efa']).toBe('1')
      expect(view.providerID).toMatch(/^aws:\/\/\/us-east-1[abc]\/i-/)
      expect(aws.ec2.faults.count('describeInstances')).toBe(isTerse ? 1 : 0)
    } finally {
      harness.stop()
    }
  },
)

test('fields that the response lacks are requested until they are known, and nothing is launched in the meantime', async () => {
  const harness = await createAwsHarness()
  try {
    const { provider, aws } = harness
    aws.ec2.isTerse = true
    aws.ec2.faults.standing('describeInstances', { code: 'InternalError', status: 500 })
    const claim = await harness.claim('a')
    await expect(provider.create(claim, never)).rejects.toThrow()
    await expect(provider.create(claim, never)).rejects.toThrow()
    aws.ec2.faults.recover()
    const view = await provider.create(claim, never)
    expect(aws.ec2.launches.map(({ id }) => id)).toEqual([parseProviderId(view.providerID)?.instanceId])
    expect(view.labels[labels.zone]).toBe(aws.ec2.launches[0]?.zone)
  } finally {
    harness.stop()
  }
})

const reservedHarness = () =>
  createAwsHarness({
    spec: { capacityReservationSelectorTerms: [{ tags: { team: '*' } }] },
    before: ({ ec2 }) => {
      ec2.reservations = ['a', 'b'].map((zone) => ({
        CapacityReservationId: `cr-${zone}`,
        InstanceType: 'r5.large',
        AvailabilityZone: `us-east-1${zone}`,
        AvailableInstanceCount: 2,
        OwnerId: '123456789012',
        InstanceMatchCriteria: 'targeted' as const,
        State: 'active' as const,
        Tags: [{ Key: 'team', Value: 'a' }],
      }))
    },
  })

test.each([false, true])(
  'a claim launched into one of two reservations knows which one, and only the full one becomes unavailable (terse answers: %s)',
  async (isTerse) => {
    const harness = await reservedHarness()
    try {
      const { provider, aws } = harness
      aws.ec2.isTerse = isTerse
      const requirements = [is(labels.instanceType, 'r5.large')]
      // Another caller has used the remaining capacity of one reservation.
      const [full] = aws.ec2.reservations
      if (full !== undefined) full.AvailableInstanceCount = 0
      const names = ['a', 'b']
      const views = []
      for (const name of names) views.push(await provider.create(await harness.claim(name, { requirements }), never))
      for (const view of views)
        expect(view.labels).toMatchObject({
          [labels.capacityType]: 'reserved',
          [labels.zone]: 'us-east-1b',
          [awsLabels.capacityReservationId]: 'cr-b',
        })
      expect(aws.ec2.launches).toHaveLength(2)
      if (!isTerse) expect(provider.deps.reservations.left('cr-a')).toBe(0)
      expect(provider.deps.reservations.left('cr-b')).toBe(0)
    } finally {
      harness.stop()
    }
  },
)

test('an error about one reservation does not affect the others', async () => {
  const harness = await reservedHarness()
  try {
    const { provider, aws, clock } = harness
    const [full] = aws.ec2.reservations
    if (full !== undefined) full.AvailableInstanceCount = 0
    const requirements = [is(labels.instanceType, 'r5.large')]
    await provider.create(await harness.claim('a', { requirements }), never)
    await clock.advance(10)
    expect(['cr-a', 'cr-b'].map((id) => provider.deps.reservations.left(id))).toEqual([0, 1])
  } finally {
    harness.stop()
  }
})

test('after a restart each claim finds its own instance, in a fleet of thirty', async () => {
  const harness = await createAwsHarness()
  try {
    const { provider, aws, client, clock } = harness
    const requirements = [is(labels.instanceType, 'm5.large'), is(labels.capacityType, 'on-demand')]
    const names = Array.from({ length: 30 }, (_, index) => `claim-${index}`)
    const claims = await Promise.all(names.map((name) => harness.claim(name, { requirements })))
    // EC2 launches the instance, but its answer is lost, and the process ends before it can retry.
    aws.ec2.faults.standing('createFleet', { code: 'network', afterwards: true })
    await Promise.allSettled(claims.map((claim) => provider.create(claim, never)))
    aws.ec2.faults.recover()
    expect(aws.ec2.launches).toHaveLength(30)
    await clock.advance(1_000)
    const next = harness.newProvider()
    await next.warmUp(never)
    const views = await Promise.all(claims.map((claim) => next.create(claim, never)))
    expect(new Set(views.map(({ providerID }) => parseProviderId(providerID)?.instanceId))).toEqual(
      new Set(aws.ec2.launches.map(({ id }) => id)),
    )
    expect(aws.ec2.launches).toHaveLength(30)
    expect((await client.list(karpenterKinds.NodeClaim)).items).toHaveLength(30)
  } finally {
    harness.stop()
  }
})
