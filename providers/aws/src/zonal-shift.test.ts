import { apiVersionOf, karpenterKinds, type NodePool } from '@kerf/apis'
import { poolOf } from '@kerf/provider-contract/testing'
import { expect, test } from 'vitest'
import type { ZonalShift } from './api/aws-api.ts'
import { type AwsWorld, createAwsWorld, never } from './testing/aws-world.ts'

const ARN = 'arn:aws:eks:us-east-1:123456789012:cluster/demo'
const HOUR = 3_600_000

const shiftedWorld = async (enableZonalShift = true): Promise<AwsWorld> => {
  const world = await createAwsWorld({
    settings: { enableZonalShift },
    before: ({ zonalShift }) => zonalShift.resources.set(ARN, []),
  })
  return world
}
const away = (world: AwsWorld, ...shifts: ZonalShift[]): void => {
  world.aws.zonalShift.resources.set(ARN, shifts)
}
const applied = (awayFrom: string, expiresAt: number): ZonalShift => ({ awayFrom, isApplied: true, expiresAt })

const zonesOf = async (world: AwsWorld): Promise<readonly string[]> => {
  const types = await world.provider.instanceTypes(world.pool(), never)
  const offerings = types.flatMap(({ offerings }) => offerings).filter(({ available }) => available)
  const zones = offerings.flatMap(
    ({ requirements }) => requirements.find(({ key }) => key === 'topology.kubernetes.io/zone')?.values ?? [],
  )
  return [...new Set(zones)].toSorted()
}
const ALL = ['us-east-1a', 'us-east-1b', 'us-east-1c']

const createPool = (
  world: AwsWorld,
  name: string,
  requirements: NonNullable<NodePool['spec']['template']['spec']['requirements']> = [],
) => {
  const pool = poolOf({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' })
  return world.client.create(karpenterKinds.NodePool, {
    ...pool,
    apiVersion: apiVersionOf(karpenterKinds.NodePool),
    metadata: { name },
    spec: { template: { spec: { ...pool.spec.template.spec, requirements } } },
  })
}
const told = (world: AwsWorld) =>
  world.events.events.flatMap(({ object, type, reason }) =>
    reason.startsWith('ZonalShift') ? [`${object.metadata.name} ${type} ${reason}`] : [],
  )

test('nothing is offered in a zone that traffic was shifted away from, until the shift expires', async () => {
  const world = await shiftedWorld()
  try {
    expect(await zonesOf(world)).toEqual(ALL)
    away(world, applied('use1-az2', world.clock.now() + HOUR))
    await world.clock.advance(31_000)
    expect(await zonesOf(world)).toEqual(['us-east-1a', 'us-east-1c'])
    // It also expires if the service cannot be reached, and while the service still lists the shift.
    world.aws.zonalShift.faults.standing('getManagedResource', { code: 'InternalServerException', status: 500 })
    await world.clock.advance(HOUR - 60_000)
    expect(await zonesOf(world)).toEqual(['us-east-1a', 'us-east-1c'])
    await world.clock.advance(60_000)
    expect(await zonesOf(world)).toEqual(ALL)
  } finally {
    world.stop()
  }
})

test('a cancelled shift ends while others continue, a shift that is not applied has no effect, one without an end lasts', async () => {
  const world = await shiftedWorld()
  try {
    const end = world.clock.now() + 10 * HOUR
    away(
      world,
      applied('use1-az1', end),
      { awayFrom: 'use1-az2', isApplied: true },
      { awayFrom: 'use1-az3', isApplied: false, expiresAt: end },
    )
    await world.clock.advance(31_000)
    expect(await zonesOf(world)).toEqual(['us-east-1c'])
    away(world, { awayFrom: 'use1-az2', isApplied: true })
    await world.clock.advance(31_000)
    expect(await zonesOf(world)).toEqual(['us-east-1a', 'us-east-1c'])
  } finally {
    world.stop()
  }
})

test('launches use other zones, and instances of the zone are neither dropped, terminated nor tagged', async () => {
  const world = await shiftedWorld()
  try {
    const zone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1b'] } as const
    const there = await world.provider.create(await world.claim('there', { requirements: [zone] }), never)
    away(world, applied('use1-az2', world.clock.now() + HOUR))
    await world.clock.advance(31_000)
    const elsewhere = await world.provider.create(await world.claim('elsewhere'), never)
    expect(elsewhere.labels['topology.kubernetes.io/zone']).not.toBe('us-east-1b')
    await expect(
      world.provider.create(await world.claim('stuck', { requirements: [zone] }), never),
    ).rejects.toMatchObject({ name: 'InsufficientCapacityError' })

    // EC2 may leave out instances in an impaired zone.
    const id = there.providerID.split('/').at(-1) ?? ''
    world.aws.ec2.instances.delete(id)
    expect((await world.provider.list(never)).map(({ providerID }) => providerID)).toContain(there.providerID)
    expect((await world.provider.get(there.providerID, never)).providerID).toBe(there.providerID)
    const calls = world.aws.ec2.faults.count('terminateInstances', 'createTags')
    const claim = await world.client.get(karpenterKinds.NodeClaim, { name: 'there' })
    await expect(
      world.provider.delete({ ...claim, status: { ...claim.status, providerID: there.providerID } }, never),
    ).rejects.toThrow(/shifted away from us-east-1b/)
    await expect(world.provider.deps.instances.tag(id, { a: 'b' }, never)).rejects.toThrow(/shifted away/)
    expect(world.aws.ec2.faults.count('terminateInstances', 'createTags')).toBe(calls)
  } finally {
    world.stop()
  }
})

test('NodePools that allow the zone get an event, one when the shift begins and one when it ends', async () => {
  const world = await shiftedWorld()
  try {
    await createPool(world, 'open')
    await createPool(world, 'elsewhere', [
      { key: 'topology.kubernetes.io/zone', operator: 'NotIn', values: ['us-east-1b'] },
    ])
    await createPool(world, 'by-id', [{ key: 'topology.k8s.aws/zone-id', operator: 'In', values: ['use1-az2'] }])
    away(world, applied('use1-az2', world.clock.now() + 10 * HOUR), applied('use1-az9', world.clock.now() + 10 * HOUR))
    await world.clock.advance(5 * 60_000)
    expect(told(world).toSorted()).toEqual(['by-id Warning ZonalShiftActive', 'open Warning ZonalShiftActive'])
    away(world)
    await world.clock.advance(5 * 60_000)
    expect(told(world).slice(2).toSorted()).toEqual(['by-id Normal ZonalShiftCleared', 'open Normal ZonalShiftCleared'])
  } finally {
    world.stop()
  }
})

test('for a cluster without zonal shift, the error says how to enable it, and launches use every zone', async () => {
  const world = await createAwsWorld({ settings: { enableZonalShift: true } })
  try {
    await world.provider.warmUp(never)
    expect(JSON.stringify(world.log.lines)).toMatch(
      /zonal shift is not enabled for cluster demo; enable it \(aws eks update-cluster-config/,
    )
    expect(await zonesOf(world)).toEqual(ALL)
  } finally {
    world.stop()
  }
})

test('without the setting the service is not called', async () => {
  const world = await shiftedWorld(false)
  try {
    away(world, applied('use1-az2', world.clock.now() + HOUR))
    await world.clock.advance(10 * 60_000)
    expect(world.aws.zonalShift.faults.calls).toEqual([])
    expect(await zonesOf(world)).toEqual(ALL)
  } finally {
    world.stop()
  }
})
