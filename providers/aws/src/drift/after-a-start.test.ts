import { karpenterKinds, type NodeClaim } from '@kerf/apis'
import { isNotKnownYet, singleValueOf } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import type { AwsProvider } from '../aws-provider.ts'
import { awsLabels } from '../label-names.ts'
import { type EC2NodeClassSpec, ec2NodeClassKind } from '../node-class/ec2-node-class.ts'
import { type AwsWorld, createAwsWorld, never } from '../testing/aws-world.ts'
import type { FakeAws } from '../testing/fake-aws/fake-aws.ts'
import { reservation } from '../testing/reservation.ts'

/** Creates a claim with a running instance in its status. */
const launched = async (world: AwsWorld, name: string, provider: AwsProvider = world.provider): Promise<NodeClaim> => {
  const { client } = world
  const view = await provider.create(await world.claim(name), never)
  const ref = { name }
  const metadata = { labels: view.labels, annotations: view.annotations }
  await client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { metadata } })
  const status = { providerID: view.providerID, imageID: view.imageID }
  return client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
}

const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
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
const grouped = (): Promise<AwsWorld> =>
  createAwsWorld({
    spec: { placementGroupSelector: { name: 'near' } },
    before: ({ ec2 }) => ec2.placementGroups.push(near),
  })

const withWorld = async (world: AwsWorld, use: (world: AwsWorld) => Promise<void>): Promise<void> => {
  try {
    await use(world)
  } finally {
    world.stop()
  }
}

test('after a start, before the class controller has run, nodes of a placement group have not drifted', async () => {
  await withWorld(await grouped(), async (world) => {
    const claim = await launched(world, 'a')
    expect(claim.metadata.labels?.[awsLabels.placementGroupId]).toBe('pg-1')
    const { faults } = world.aws.ec2
    const before = faults.count('describePlacementGroups')
    const restarted = world.newProvider()
    const answers = await Promise.all(Array.from({ length: 50 }, () => restarted.isDrifted(claim, never)))
    expect(new Set(answers)).toEqual(new Set([undefined]))
    expect(faults.count('describePlacementGroups')).toBe(before + 1)
  })
})

test('while EC2 does not return the group, drift is unknown, and EC2 is not asked repeatedly', async () => {
  await withWorld(await grouped(), async (world) => {
    const claim = await launched(world, 'a')
    const { faults } = world.aws.ec2
    const restarted = world.newProvider()
    faults.standing('describePlacementGroups', refused)
    const before = faults.count('describePlacementGroups')
    for (let claims = 0; claims < 20; claims++)
      expect(isNotKnownYet(await failureOf(restarted.isDrifted(claim, never)))).toBe(true)
    expect(faults.count('describePlacementGroups')).toBe(before + 1)
    faults.recover()
    await world.clock.advance(6_000)
    expect(await restarted.isDrifted(claim, never)).toBeUndefined()
  })
})

test('a deleted group is no drift; a group that was created again is', async () => {
  await withWorld(await grouped(), async (world) => {
    const claim = await launched(world, 'a')
    world.aws.ec2.placementGroups = []
    const restarted = world.newProvider()
    expect(isNotKnownYet(await failureOf(restarted.isDrifted(claim, never)))).toBe(true)
    world.aws.ec2.placementGroups = [{ ...near, GroupId: 'pg-2' }]
    await world.clock.advance(61_000)
    expect(await restarted.isDrifted(claim, never)).toBe('PlacementGroupDrift')
  })
})

test('after a start, nothing is planned or launched outside the placement group', async () => {
  await withWorld(await grouped(), async (world) => {
    const restarted = world.newProvider()
    world.aws.ec2.faults.standing('describePlacementGroups', refused)
    expect(isNotKnownYet(await failureOf(restarted.instanceTypes(world.pool(), never)))).toBe(true)
    await failureOf(restarted.create(await world.claim('a'), never))
    expect(world.aws.ec2.launches).toEqual([])
    world.aws.ec2.faults.recover()
    await world.clock.advance(6_000)
    const claim = await launched(world, 'b', restarted)
    expect(claim.metadata.labels?.[awsLabels.placementGroupId]).toBe('pg-1')
    const [instance] = world.aws.ec2.living()
    expect(instance?.data.Placement).toMatchObject({ GroupId: 'pg-1' })
  })
})

const reserved = (): Promise<AwsWorld> =>
  createAwsWorld({
    spec: { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
    before: ({ ec2 }) => ec2.reservations.push(reservation()),
  })
const leftOf = async (world: AwsWorld, provider: AwsProvider) =>
  (await provider.instanceTypes(world.pool(), never))
    .flatMap(({ offerings }) => offerings)
    .filter(({ requirements }) => singleValueOf(requirements, awsLabels.capacityReservationId) === 'cr-1')
    .map(({ available, reservationCapacity }) => ({ available, reservationCapacity }))

test('after a start, the free capacity of reservations is read, because unknown does not mean empty', async () => {
  await withWorld(await reserved(), async (world) => {
    const restarted = world.newProvider()
    expect(await leftOf(world, restarted)).toEqual([{ available: true, reservationCapacity: 3 }])
    const claim = await launched(world, 'a', restarted)
    expect(claim.metadata.labels?.['karpenter.sh/capacity-type']).toBe('reserved')
  })
})

test('while EC2 does not answer, no plan is made without reservations; without the permission one is made', async () => {
  await withWorld(await reserved(), async (world) => {
    const { faults } = world.aws.ec2
    const restarted = world.newProvider()
    faults.standing('describeCapacityReservations', refused)
    expect(isNotKnownYet(await failureOf(leftOf(world, restarted)))).toBe(true)
    faults.standing('describeCapacityReservations', { code: 'UnauthorizedOperation', status: 403 })
    await world.clock.advance(6_000)
    const before = faults.count('describeCapacityReservations')
    for (let passes = 0; passes < 5; passes++)
      expect(await leftOf(world, restarted)).toEqual([{ available: false, reservationCapacity: 0 }])
    expect(faults.count('describeCapacityReservations')).toBe(before + 1)
  })
})

test('a reserved node does not drift while the reservations of its class are unknown', async () => {
  await withWorld(await reserved(), async (world) => {
    const claim = await launched(world, 'a')
    expect(await world.provider.isDrifted(claim, never)).toBeUndefined()
    const nodeClass = await world.nodeClass()
    const conditions = nodeClass.status?.conditions?.filter(({ type }) => type !== 'CapacityReservationsReady')
    const restarted = world.newProvider()
    world.aws.ec2.faults.standing('describeCapacityReservations', refused)
    await world.client.patch(
      ec2NodeClassKind,
      { name: 'default' },
      { type: 'merge', body: { status: { capacityReservations: null, conditions } } },
      { subresource: 'status' },
    )
    await world.clock.advance(500)
    expect(isNotKnownYet(await failureOf(restarted.isDrifted(claim, never)))).toBe(true)
  })
})

test.each<[string, (aws: FakeAws) => void]>([
  ['security groups', ({ ec2 }) => eachInstance(ec2, { SecurityGroups: undefined })],
  ['subnet', ({ ec2 }) => eachInstance(ec2, { SubnetId: undefined })],
])('an instance without %s in EC2’s answer has not drifted', async (_what, change) => {
  await withWorld(await createAwsWorld(), async (world) => {
    const claim = await launched(world, 'a')
    change(world.aws)
    expect(isNotKnownYet(await failureOf(world.newProvider().isDrifted(claim, never)))).toBe(true)
  })
})

const eachInstance = ({ instances }: FakeAws['ec2'], change: object): void => {
  for (const [id, instance] of instances) instances.set(id, { ...instance, data: { ...instance.data, ...change } })
}

test.each<[string, Partial<EC2NodeClassSpec>]>([
  ['no image is made for the type any more', { amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-arm' }] }],
])('if %s, the node has not drifted, because it could not be replaced by the same type', async (_what, spec) => {
  await withWorld(await createAwsWorld(), async (world) => {
    const claim = await launched(world, 'a')
    expect(claim.status?.imageID).toBe('ami-x86')
    await world.change(spec)
    expect(isNotKnownYet(await failureOf(world.provider.isDrifted(claim, never)))).toBe(true)
  })
})
