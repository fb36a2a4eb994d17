import { groupVersion, karpenterKinds, type NodePool } from '@kerf/apis'
import { defaultPool } from '@kerf/provider-contract/testing'
import { expect, test } from 'vitest'
import type { ZonalShift } from './api/aws-api.ts'
import { type AwsHarness, createAwsHarness, never } from './testing/aws-harness.ts'

const ARN = 'arn:aws:eks:us-east-1:123456789012:cluster/demo'
const HOUR = 3_600_000

const shiftedHarness = async (enableZonalShift = true): Promise<AwsHarness> => {
  const harness = await createAwsHarness({
    settings: { enableZonalShift },
    before: ({ zonalShift }) => zonalShift.resources.set(ARN, []),
  })
  return harness
}
const away = (harness: AwsHarness, ...shifts: ZonalShift[]): void => {
  harness.aws.zonalShift.resources.set(ARN, shifts)
}
const applied = (awayFrom: string, expiresAt: number): ZonalShift => ({ awayFrom, isApplied: true, expiresAt })

const harnessZones = async (harness: AwsHarness): Promise<readonly string[]> => {
  const types = await harness.provider.instanceTypes(harness.pool(), never)
  const offerings = types.flatMap(({ offerings }) => offerings).filter(({ available }) => available)
  const zones = offerings.flatMap(
    ({ requirements }) => requirements.find(({ key }) => key === 'topology.kubernetes.io/zone')?.values ?? [],
  )
  return [...new Set(zones)].toSorted()
}
const ALL = ['us-east-1a', 'us-east-1b', 'us-east-1c']

const createPool = (
  harness: AwsHarness,
  name: string,
  requirements: NonNullable<NodePool['spec']['template']['spec']['requirements']> = [],
) => {
  const pool = defaultPool({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' })
  return harness.client.create(karpenterKinds.NodePool, {
    ...pool,
    apiVersion: groupVersion(karpenterKinds.NodePool),
    metadata: { name },
    spec: { template: { spec: { ...pool.spec.template.spec, requirements } } },
  })
}
const told = (harness: AwsHarness) =>
  harness.events.events.flatMap(({ object, type, reason }) =>
    reason.startsWith('ZonalShift') ? [`${object.metadata.name} ${type} ${reason}`] : [],
  )

test('nothing is offered in a zone that traffic was shifted away from, until the shift expires', async () => {
  const harness = await shiftedHarness()
  try {
    expect(await harnessZones(harness)).toEqual(ALL)
    away(harness, applied('use1-az2', harness.clock.now() + HOUR))
    await harness.clock.advance(31_000)
    expect(await harnessZones(harness)).toEqual(['us-east-1a', 'us-east-1c'])
    // The shift also expires if the service cannot be reached, or still lists the shift.
    harness.aws.zonalShift.faults.standing('getManagedResource', { code: 'InternalServerException', status: 500 })
    await harness.clock.advance(HOUR - 60_000)
    expect(await harnessZones(harness)).toEqual(['us-east-1a', 'us-east-1c'])
    await harness.clock.advance(60_000)
    expect(await harnessZones(harness)).toEqual(ALL)
  } finally {
    harness.stop()
  }
})

test('a cancelled shift ends while others continue, a shift that is not applied has no effect, one without an end lasts', async () => {
  const harness = await shiftedHarness()
  try {
    const end = harness.clock.now() + 10 * HOUR
    away(
      harness,
      applied('use1-az1', end),
      { awayFrom: 'use1-az2', isApplied: true },
      { awayFrom: 'use1-az3', isApplied: false, expiresAt: end },
    )
    await harness.clock.advance(31_000)
    expect(await harnessZones(harness)).toEqual(['us-east-1c'])
    away(harness, { awayFrom: 'use1-az2', isApplied: true })
    await harness.clock.advance(31_000)
    expect(await harnessZones(harness)).toEqual(['us-east-1a', 'us-east-1c'])
  } finally {
    harness.stop()
  }
})

test('launches use other zones, and instances of the zone are neither dropped, terminated nor tagged', async () => {
  const harness = await shiftedHarness()
  try {
    const zone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1b'] } as const
    const there = await harness.provider.create(await harness.claim('there', { requirements: [zone] }), never)
    away(harness, applied('use1-az2', harness.clock.now() + HOUR))
    await harness.clock.advance(31_000)
    const elsewhere = await harness.provider.create(await harness.claim('elsewhere'), never)
    expect(elsewhere.labels['topology.kubernetes.io/zone']).not.toBe('us-east-1b')
    await expect(
      harness.provider.create(await harness.claim('stuck', { requirements: [zone] }), never),
    ).rejects.toMatchObject({ name: 'InsufficientCapacityError' })

    // EC2 may leave out instances in an impaired zone.
    const id = there.providerID.split('/').at(-1) ?? ''
    harness.aws.ec2.instances.delete(id)
    expect((await harness.provider.list(never)).map(({ providerID }) => providerID)).toContain(there.providerID)
    expect((await harness.provider.get(there.providerID, never)).providerID).toBe(there.providerID)
    const calls = harness.aws.ec2.faults.count('terminateInstances', 'createTags')
    const claim = await harness.client.get(karpenterKinds.NodeClaim, { name: 'there' })
    await expect(
      harness.provider.delete({ ...claim, status: { ...claim.status, providerID: there.providerID } }, never),
    ).rejects.toThrow(/shifted away from us-east-1b/)
    await expect(harness.provider.deps.instances.tag(id, { a: 'b' }, never)).rejects.toThrow(/shifted away/)
    expect(harness.aws.ec2.faults.count('terminateInstances', 'createTags')).toBe(calls)
  } finally {
    harness.stop()
  }
})

test('NodePools that allow the zone get an event, one when the shift begins and one when it ends', async () => {
  const harness = await shiftedHarness()
  try {
    await createPool(harness, 'open')
    await createPool(harness, 'elsewhere', [
      { key: 'topology.kubernetes.io/zone', operator: 'NotIn', values: ['us-east-1b'] },
    ])
    await createPool(harness, 'by-id', [{ key: 'topology.k8s.aws/zone-id', operator: 'In', values: ['use1-az2'] }])
    away(
      harness,
      applied('use1-az2', harness.clock.now() + 10 * HOUR),
      applied('use1-az9', harness.clock.now() + 10 * HOUR),
    )
    await harness.clock.advance(5 * 60_000)
    expect(told(harness).toSorted()).toEqual(['by-id Warning ZonalShiftActive', 'open Warning ZonalShiftActive'])
    away(harness)
    await harness.clock.advance(5 * 60_000)
    expect(told(harness).slice(2).toSorted()).toEqual([
      'by-id Normal ZonalShiftCleared',
      'open Normal ZonalShiftCleared',
    ])
  } finally {
    harness.stop()
  }
})

test('for a cluster without zonal shift, the error says how to enable it, and launches use every zone', async () => {
  const harness = await createAwsHarness({ settings: { enableZonalShift: true } })
  try {
    await harness.provider.warmUp(never)
    expect(JSON.stringify(harness.log.lines)).toMatch(
      /zonal shift is not enabled for cluster demo; enable it \(aws eks update-cluster-config/,
    )
    expect(await harnessZones(harness)).toEqual(ALL)
  } finally {
    harness.stop()
  }
})

test('without the setting the service is not called', async () => {
  const harness = await shiftedHarness(false)
  try {
    away(harness, applied('use1-az2', harness.clock.now() + HOUR))
    await harness.clock.advance(10 * 60_000)
    expect(harness.aws.zonalShift.faults.calls).toEqual([])
    expect(await harnessZones(harness)).toEqual(ALL)
  } finally {
    harness.stop()
  }
})
