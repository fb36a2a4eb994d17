import { labels } from '@kerf/apis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { awsLabels } from '../label-names.ts'
import { type AwsHarness, type AwsHarnessOptions, createAwsHarness, never } from '../testing/aws-harness.ts'
import { nodeConfigIn } from '../testing/node-config.ts'
import { is } from '../testing/offered-type.ts'
import { reservation } from '../testing/reservation.ts'

// See `providers/aws/docs/spec/aws.md#instances`, steps 5 and 9.

const startHarness = async (options: AwsHarnessOptions = {}): Promise<AwsHarness> => {
  const harness = await createAwsHarness(options)
  onTestFinished(() => harness.stop())
  return harness
}

test.each([
  ['reserved-capacity', { Interruptible: true }],
  ['capacity-block', { ReservationType: 'capacity-block' as const }],
  ['on-demand', {}],
])('a fleet into a reservation requests %s if it is %j', async (target, kind) => {
  const harness = await startHarness({
    spec: { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
    before: ({ ec2 }) => ec2.reservations.push(reservation(kind)),
  })
  const fleets = vi.spyOn(harness.aws.ec2, 'createFleet')
  const view = await harness.provider.create(await harness.claim('a'), never)
  expect(fleets.mock.calls.map(([input]) => input.TargetCapacitySpecification?.DefaultTargetCapacityType)).toEqual([
    target,
  ])
  expect(view.labels).toMatchObject({
    [labels.capacityType]: 'reserved',
    [awsLabels.capacityReservationId]: 'cr-1',
    [awsLabels.capacityReservationType]: target === 'capacity-block' ? 'capacity-block' : 'default',
    [awsLabels.capacityReservationInterruptible]: `${target === 'reserved-capacity'}`,
  })
})

test('if EC2 does not return the override and only one was requested, the instance has its facts', async () => {
  const harness = await startHarness()
  harness.aws.ec2.isTerse = true
  const requirements = [
    is(labels.instanceType, 'm5.large'),
    is(labels.zone, 'us-east-1c'),
    is(labels.capacityType, 'on-demand'),
  ]
  const view = await harness.provider.create(await harness.claim('a', { requirements }), never)
  expect([view.imageID, view.labels[labels.zone]]).toEqual(['ami-x86', 'us-east-1c'])
  expect(harness.aws.ec2.faults.count('describeInstances')).toBe(0)
})

test('the first launch after a start has the service CIDR', async () => {
  const harness = await startHarness()
  await harness.newProvider().create(await harness.claim('a'), never)
  const [instance] = harness.aws.ec2.living()
  const userData = Buffer.from(instance?.userData ?? '', 'base64').toString()
  expect(nodeConfigIn(userData).cluster).toMatchObject({ cidr: '10.100.0.0/16' })
})

test('an instance that is launched for a claim without labels belongs to no pool', async () => {
  const harness = await startHarness()
  const claim = await harness.claim('a')
  const { labels: _, ...metadata } = claim.metadata
  const nodeClass = await harness.nodeClass()
  expect(harness.provider.deps.maker.tags({ claim: { ...claim, metadata }, nodeClass })).toMatchObject({
    [labels.nodePool]: '',
    [awsLabels.nodeClass]: 'default',
  })
})
