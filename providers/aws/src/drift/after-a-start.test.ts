import { karpenterKinds, type NodeClaim } from '@kerf/apis'
import { isNotKnownYet, singleValue } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import type { AwsProvider } from '../aws-provider.ts'
import { awsLabels } from '../label-names.ts'
import { type EC2NodeClassSpec, ec2NodeClassKind } from '../node-class/ec2-node-class.ts'
import { type AwsHarness, createAwsHarness, never } from '../testing/aws-harness.ts'
import type { FakeAws } from '../testing/fake-aws/fake-aws.ts'
import { reservation } from '../testing/reservation.ts'

/** Creates a NodeClaim with a running instance in its status. */
const launched = async (
  harness: AwsHarness,
  name: string,
  provider: AwsProvider = harness.provider,
): Promise<NodeClaim> => {
  const { client } = harness
  const view = await provider.create(await harness.claim(name), never)
  const ref = { name }
  const metadata = { labels: view.labels, annotations: view.annotations }
  await client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { metadata } })
  const status = { providerID: view.providerID, imageID: view.imageID }
  return client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
}

const thrownError = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

const refused = { code: 'RequestLimitExceeded', status: 503 }
const near = {
  GroupId: 'pg-1',
  GroupName: 'near',
  Strategy: 'cluster' as const,
  State: 'available' as const,
}
const grouped = (): Promise<AwsHarness> =>
  createAwsHarness({
    spec: { placementGroupSelector: { name: 'near' } },
    before: ({ ec2 }) => ec2.placementGroups.push(near),
  })

const withHarness = async (harness: AwsHarness, use: (harness: AwsHarness) => Promise<void>): Promise<void> => {
  try {
    await use(harness)
  } finally {
    harness.stop()
  }
}

test('after a start, before the class has been reconciled, nodes in a placement group have not drifted', async () => {
  await withHarness(await grouped(), async (harness) => {
    const claim = await launched(harness, 'a')
    expect(claim.metadata.labels?.[awsLabels.placementGroupId]).toBe('pg-1')
    const { faults } = harness.aws.ec2
    const before = faults.count('describePlacementGroups')
    const restarted = harness.newProvider()
    const answers = await Promise.all(Array.from({ length: 50 }, () => restarted.isDrifted(claim, never)))
    expect(new Set(answers)).toEqual(new Set([undefined]))
    expect(faults.count('describePlacementGroups')).toBe(before + 1)
  })
})

test('while EC2 does not return the group, drift is unknown, and EC2 is not asked repeatedly', async () => {
  await withHarness(await grouped(), async (harness) => {
    const claim = await launched(harness, 'a')
    const { faults } = harness.aws.ec2
    const restarted = harness.newProvider()
    faults.standing('describePlacementGroups', refused)
    const before = faults.count('describePlacementGroups')
    for (let claims = 0; claims < 20; claims++)
      expect(isNotKnownYet(await thrownError(restarted.isDrifted(claim, never)))).toBe(true)
    expect(faults.count('describePlacementGroups')).toBe(before + 1)
    faults.recover()
    await harness.clock.advance(6_000)
    expect(await restarted.isDrifted(claim, never)).toBeUndefined()
  })
})

test('a deleted group is no reason for drift, but a group that was created again is', async () => {
  await withHarness(await grouped(), async (harness) => {
    const claim = await launched(harness, 'a')
    harness.aws.ec2.placementGroups = []
    const restarted = harness.newProvider()
    expect(isNotKnownYet(await thrownError(restarted.isDrifted(claim, never)))).toBe(true)
    harness.aws.ec2.placementGroups = [{ ...near, GroupId: 'pg-2' }]
    await harness.clock.advance(61_000)
    expect(await restarted.isDrifted(claim, never)).toBe('PlacementGroupDrift')
  })
})

test('after a start, nothing is planned or launched outside the placement group', async () => {
  await withHarness(await grouped(), async (harness) => {
    const restarted = harness.newProvider()
    harness.aws.ec2.faults.standing('describePlacementGroups', refused)
    expect(isNotKnownYet(await thrownError(restarted.instanceTypes(harness.pool(), never)))).toBe(true)
    await thrownError(restarted.create(await harness.claim('a'), never))
    expect(harness.aws.ec2.launches).toEqual([])
    harness.aws.ec2.faults.recover()
    await harness.clock.advance(6_000)
    const claim = await launched(harness, 'b', restarted)
    expect(claim.metadata.labels?.[awsLabels.placementGroupId]).toBe('pg-1')
    const [instance] = harness.aws.ec2.living()
    expect(instance?.data.Placement).toMatchObject({ GroupId: 'pg-1' })
  })
})

const reserved = (): Promise<AwsHarness> =>
  createAwsHarness({
    spec: { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
    before: ({ ec2 }) => ec2.reservations.push(reservation()),
  })
const availableOfferings = async (harness: AwsHarness, provider: AwsProvider) =>
  (await provider.instanceTypes(harness.pool(), never))
    .flatMap(({ offerings }) => offerings)
    .filter(({ requirements }) => singleValue(requirements, awsLabels.capacityReservationId) === 'cr-1')
    .map(({ available, reservationCapacity }) => ({ available, reservationCapacity }))

test('after a start, the free capacity of reservations is read, because unknown does not mean empty', async () => {
  await withHarness(await reserved(), async (harness) => {
    const restarted = harness.newProvider()
    expect(await availableOfferings(harness, restarted)).toEqual([{ available: true, reservationCapacity: 3 }])
    const claim = await launched(harness, 'a', restarted)
    expect(claim.metadata.labels?.['karpenter.sh/capacity-type']).toBe('reserved')
  })
})

test('while EC2 does not respond, no plan is made without reservations; if the permission is missing, one is made', async () => {
  await withHarness(await reserved(), async (harness) => {
    const { faults } = harness.aws.ec2
    const restarted = harness.newProvider()
    faults.standing('describeCapacityReservations', refused)
    expect(isNotKnownYet(await thrownError(availableOfferings(harness, restarted)))).toBe(true)
    faults.standing('describeCapacityReservations', { code: 'UnauthorizedOperation', status: 403 })
    await harness.clock.advance(6_000)
    const before = faults.count('describeCapacityReservations')
    for (let passes = 0; passes < 5; passes++)
      expect(await availableOfferings(harness, restarted)).toEqual([{ available: false, reservationCapacity: 0 }])
    expect(faults.count('describeCapacityReservations')).toBe(before + 1)
  })
})

test('a reserved node does not drift while the reservations of its class are unknown', async () => {
  await withHarness(await reserved(), async (harness) => {
    const claim = await launched(harness, 'a')
    expect(await harness.provider.isDrifted(claim, never)).toBeUndefined()
    const nodeClass = await harness.nodeClass()
    const conditions = nodeClass.status?.conditions?.filter(({ type }) => type !== 'CapacityReservationsReady')
    const restarted = harness.newProvider()
    harness.aws.ec2.faults.standing('describeCapacityReservations', refused)
    await harness.client.patch(
      ec2NodeClassKind,
      { name: 'default' },
      { type: 'merge', body: { status: { capacityReservations: null, conditions } } },
      { subresource: 'status' },
    )
    await harness.clock.advance(500)
    expect(isNotKnownYet(await thrownError(restarted.isDrifted(claim, never)))).toBe(true)
  })
})

test.each<[string, (aws: FakeAws) => void]>([
  ['security groups', ({ ec2 }) => eachInstance(ec2, { SecurityGroups: undefined })],
  ['subnet', ({ ec2 }) => eachInstance(ec2, { SubnetId: undefined })],
])('an instance without %s in EC2’s answer has not drifted', async (_what, change) => {
  await withHarness(await createAwsHarness(), async (harness) => {
    const claim = await launched(harness, 'a')
    change(harness.aws)
    expect(isNotKnownYet(await thrownError(harness.newProvider().isDrifted(claim, never)))).toBe(true)
  })
})

const eachInstance = ({ instances }: FakeAws['ec2'], change: object): void => {
  for (const [id, instance] of instances) instances.set(id, { ...instance, data: { ...instance.data, ...change } })
}

test.each<[string, Partial<EC2NodeClassSpec>]>([
  ['no image is made for the type any more', { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-arm' }] }],
])('if %s, the node has not drifted, because it could not be replaced by one of the same type', async (_what, spec) => {
  await withHarness(await createAwsHarness(), async (harness) => {
    const claim = await launched(harness, 'a')
    expect(claim.status?.imageID).toBe('ami-x86')
    await harness.change(spec)
    expect(isNotKnownYet(await thrownError(harness.provider.isDrifted(claim, never)))).toBe(true)
  })
})
