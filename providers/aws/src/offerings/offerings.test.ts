import { singleValue } from '@kerf/provider-contract'
import { VirtualClock } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { type CapacityReservation, type NodeClassTraits, nodeClassTraits } from '../node-class/node-class-traits.ts'
import { ec2Type } from '../testing/type-table.ts'
import { capacityScopes, INSUFFICIENT_CAPACITY_TTL, insufficientCapacity } from './insufficient-capacity.ts'
import { awsOfferings, type Market } from './offerings.ts'

const traits = (changes: Partial<NodeClassTraits> = {}): NodeClassTraits => ({
  ...nodeClassTraits({
    spec: { amiFamily: 'AL2023', amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
    status: {
      subnets: [
        { id: 'subnet-a1', zone: 'a', zoneID: 'az1' },
        { id: 'subnet-a2', zone: 'a', zoneID: 'az1' },
        { id: 'subnet-b', zone: 'b' },
      ],
    },
  }),
  ...changes,
})

const harness = (changes: Partial<Market> = {}) => {
  const clock = new VirtualClock()
  const insufficient = insufficientCapacity(clock)
  const market: Market = {
    prices: { onDemand: () => 1, spot: (_, zone) => (zone === 'b' ? undefined : 0.4) },
    insufficient,
    zones: ['a', 'b', 'c'],
    subnets: new Map([
      ['a', ['subnet-a1', 'subnet-a2']],
      ['b', ['subnet-b']],
    ]),
    shiftedZones: new Set(),
    reservationCapacity: () => 2,
    reservedCapacity: true,
    ...changes,
  }
  const list = (of: NodeClassTraits = traits(), name = 'm5.large'): string[] =>
    awsOfferings(ec2Type(name), of, market, new Set(['a', 'b', 'c'])).map(({ requirements, available, price }) => {
      const value = (key: string): string => singleValue(requirements, key) ?? ''
      const partition = value('karpenter.k8s.aws/placement-group-partition')
      return `${value('karpenter.sh/capacity-type')} ${value('topology.kubernetes.io/zone')}${partition} ${price ?? 'unknown'} ${available ? 'open' : 'closed'}`
    })
  return { clock, insufficient, list }
}

const ALL = [
  'on-demand a 1 open',
  'spot a 0.4 open',
  'on-demand b 1 open',
  'spot b unknown closed',
  'on-demand c 1 closed',
  'spot c 0.4 closed',
]

describe('on-demand and spot', () => {
  test('every zone and capacity type is listed; it is available if there is a price and the class has subnets', () => {
    expect(harness().list()).toEqual(ALL)
  })

  test('a type that is incompatible with the class stays listed, unavailable', () => {
    expect(
      harness()
        .list(traits(), 'a1.large')
        .every((each) => each.endsWith('closed')),
    ).toBe(true)
  })

  test('zones that traffic was shifted away from are unavailable', () => {
    expect(
      harness({ shiftedZones: new Set(['a']) })
        .list()
        .filter((each) => each.endsWith('open')),
    ).toEqual(['on-demand b 1 open'])
  })

  test('the zone id is set if the class knows it', () => {
    const ids = awsOfferings(
      ec2Type('m5.large'),
      traits(),
      {
        prices: { onDemand: () => 1, spot: () => undefined },
        insufficient: insufficientCapacity(new VirtualClock()),
        zones: ['a', 'b'],
        subnets: new Map(),
        shiftedZones: new Set(),
        reservationCapacity: () => 0,
        reservedCapacity: true,
      },
      new Set(['a']),
    ).map(({ requirements }) => singleValue(requirements, 'topology.k8s.aws/zone-id'))
    expect(ids).toEqual(['az1', 'az1', undefined, undefined])
  })
})

describe('what has no capacity', () => {
  test('one offering, for three minutes', async () => {
    const { clock, insufficient, list } = harness()
    const before = insufficient.sequence
    insufficient.markOffering(
      { capacityType: 'spot', instanceType: 'm5.large', zone: 'a' },
      'InsufficientInstanceCapacity',
    )
    expect(insufficient.sequence).toBeGreaterThan(before)
    expect(list()).toEqual(ALL.with(1, 'spot a 0.4 closed'))
    expect(list(traits(), 'm5.xlarge')).toEqual(ALL)
    const marked = insufficient.sequence
    await clock.advance(INSUFFICIENT_CAPACITY_TTL)
    expect(list()).toEqual(ALL)
    expect(insufficient.sequence).toBeGreaterThan(marked)
  })

  test('a whole capacity type', () => {
    const { insufficient, list } = harness()
    insufficient.markOffering({ capacityType: 'spot' }, 'no service-linked role')
    expect(list(traits(), 'c5.large').filter((each) => each.startsWith('spot') && each.endsWith('open'))).toEqual([])
  })

  test('a zone only if all its subnets are', () => {
    const { insufficient, list } = harness()
    insufficient.markSubnet('subnet-a1', 'no free addresses')
    expect(list()).toEqual(ALL)
    insufficient.markSubnet('subnet-a2', 'no free addresses')
    expect(list()).toEqual(
      ALL.map((each) => each.replace(' a 1 open', ' a 1 closed').replace(' a 0.4 open', ' a 0.4 closed')),
    )
  })

  test('a placement group independent of the rest of the zone, a partition independent of the others', () => {
    const { insufficient, list } = harness()
    const group = { id: 'pg-1', strategy: 'partition', partitions: 2 } as const
    const inGroup = traits({ placementGroup: group })
    const offering = { capacityType: 'on-demand', instanceType: 'm5.large', zone: 'b' }
    insufficient.markOffering(offering, 'full', capacityScopes(group, '2').at(-1))
    expect(list()).toEqual(ALL)
    expect(list(inGroup).filter((each) => each.startsWith('on-demand b'))).toEqual([
      'on-demand b1 1 open',
      'on-demand b2 1 closed',
    ])
    insufficient.markOffering(offering, 'full', capacityScopes(group, undefined).at(-1))
    expect(list(inGroup).filter((each) => each.startsWith('on-demand b') && each.endsWith('open'))).toEqual([])
    expect(list()).toEqual(ALL)
  })
})

describe('reservations', () => {
  const reservation: CapacityReservation = {
    id: 'cr-1',
    availabilityZone: 'a',
    instanceType: 'm5.large',
    instanceMatchCriteria: 'targeted',
    ownerID: '012345678901',
    state: 'active',
  }
  const of = (...reservations: readonly CapacityReservation[]) => traits({ reservations })
  const reserved = (list: readonly string[]): string[] => list.filter((each) => each.startsWith('reserved'))

  test('cost a ten-millionth, and are available while capacity is left', () => {
    expect(reserved(harness().list(of(reservation)))).toEqual(['reserved a 1e-7 open'])
    expect(reserved(harness({ reservationCapacity: () => 0 }).list(of(reservation)))).toEqual([
      'reserved a 1e-7 closed',
    ])
    expect(reserved(harness().list(of({ ...reservation, state: 'expiring' })))).toEqual(['reserved a 1e-7 closed'])
  })

  test('only for their instance type, and only with the gate', () => {
    expect(reserved(harness().list(of({ ...reservation, instanceType: 'c5.large' })))).toEqual([])
    expect(reserved(harness({ reservedCapacity: false }).list(of(reservation)))).toEqual([])
  })

  test('without a price they are free', () => {
    const prices = { onDemand: () => undefined, spot: () => undefined }
    expect(
      harness({ prices })
        .list(of(reservation))
        .filter((each) => each.startsWith('reserved')),
    ).toEqual(['reserved a 0 open'])
  })
})
