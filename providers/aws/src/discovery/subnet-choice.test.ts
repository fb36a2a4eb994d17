import { labels } from '@kerf/apis'
import { VirtualClock } from '@kerf/runtime'
import { expect, test, vi } from 'vitest'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { nodeClassSpec } from '../testing/aws-harness.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { type Buy, offeredType } from '../testing/offered-type.ts'
import { Subnets } from './subnets.ts'

// See `providers/aws/docs/spec/aws.md#subnets`.

const never = new AbortController().signal
const MINUTE = 60_000

const harness = (refreshInterval = MINUTE) => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  const subnets = new Subnets(ec2, clock, { refreshInterval })
  const find = (terms: EC2NodeClass['spec']['subnetSelectorTerms'] = [{ tags: { team: '*' } }], generation = 1) =>
    subnets.find(
      ec2NodeClass('default', {
        spec: { ...nodeClassSpec, subnetSelectorTerms: terms },
        metadata: { uid: 'u', generation },
      }),
      never,
    )
  return { clock, ec2, subnets, find, asked: () => ec2.faults.count('describeSubnets') }
}
const subnet = (id: string, zone: string, free?: number, more: object = {}) => ({
  SubnetId: id,
  AvailabilityZone: zone,
  Tags: [{ Key: 'team', Value: 'a' }],
  ...(free === undefined ? {} : { AvailableIpAddressCount: free }),
  ...more,
})
/** Returns an instance type with this many pods and these offerings. */
const typeFor = (pods: number, ...buys: readonly Buy[]) => offeredType(`t${pods}.x`, buys, { pods })
const onDemand = (zone: string, more: Partial<Buy> = {}): Buy => ({ as: 'on-demand', price: 1, zone, ...more })

test('all IDs share one request, and each set of tags has its own; subnets with more free addresses come first, then by ID', async () => {
  const { ec2, find } = harness()
  ec2.subnets = [
    subnet('subnet-3', 'a', 5),
    subnet('subnet-2', 'b', 5, { AvailabilityZoneId: 'az2' }),
    subnet('subnet-1', 'a', 7, { Tags: [] }),
    subnet('subnet-4', 'a'),
    { ...subnet('x', 'a', 9), SubnetId: undefined },
    { ...subnet('subnet-5', 'a', 9), AvailabilityZone: undefined },
  ]
  const query = vi.spyOn(ec2, 'describeSubnets')
  const terms = [{ tags: { team: 'a' } }, { id: 'subnet-1' }, { id: 'subnet-3', tags: { team: 'b' } }, {}]
  expect(await find(terms)).toEqual([
    { id: 'subnet-1', zone: 'a' },
    { id: 'subnet-2', zone: 'b', zoneID: 'az2' },
    { id: 'subnet-3', zone: 'a' },
    { id: 'subnet-4', zone: 'a' },
  ])
  expect(query.mock.calls.map(([filters]) => filters)).toEqual([
    [{ Name: 'subnet-id', Values: ['subnet-1', 'subnet-3'] }],
    [{ Name: 'tag:team', Values: ['a'] }],
  ])
})

test('subnets are read once per refresh interval, and again if the class changes', async () => {
  const { clock, find, asked } = harness(2 * MINUTE)
  await find()
  await clock.advance(2 * MINUTE - 1)
  await find()
  expect(asked()).toBe(1)
  await find(undefined, 2)
  expect(asked()).toBe(2)
  await clock.advance(1)
  await find()
  expect(asked()).toBe(3)
})

test('subnets are exhausted if none had a free address in the last reading', async () => {
  const { ec2, subnets, find } = harness()
  ec2.subnets = [subnet('subnet-1', 'a', 0), subnet('subnet-2', 'a', 1)]
  const [second, first] = await find()
  const of = (...found: readonly (typeof first)[]) =>
    subnets.areExhausted(found.flatMap((each) => (each === undefined ? [] : [each])))
  expect([of(first), of(second), of(first, second)]).toEqual([true, false, false])
  expect(subnets.areExhausted([{ id: 'subnet-9', zone: 'a' }])).toBe(false)
  // A launch has reported that the subnet has no free address.
  subnets.exhausted('subnet-2')
  expect(of(first, second)).toBe(true)
})

test('free addresses are remembered for at least five minutes, and longer than the refresh interval', async () => {
  for (const [interval, kept] of [
    [30_000, 5 * MINUTE],
    [10 * MINUTE, 14 * MINUTE],
  ] as const) {
    const { clock, ec2, subnets, find } = harness(interval)
    ec2.subnets = [subnet('subnet-1', 'a', 0)]
    const found = await find()
    await clock.advance(kept - 1)
    expect(subnets.areExhausted(found)).toBe(true)
    await clock.advance(1)
    expect(subnets.areExhausted(found)).toBe(false)
  }
})

const typeChoice = async (types: Parameters<Subnets['choose']>[1], capacityType = 'on-demand') => {
  const { ec2, subnets, find } = harness()
  ec2.subnets = [subnet('subnet-1', 'a', 50), subnet('subnet-2', 'b', 40), subnet('subnet-3', 'a', 50)]
  const choice = subnets.choose(await find(), types, capacityType)
  return {
    zones: [...choice.byZone].map(([zone, { id }]) => `${zone} ${id}`),
    taken: [...choice.reserved].map(([id, { counted, addresses }]) => `${id} ${counted} ${addresses}`),
  }
}

test('in each zone, the subnet with the most free addresses is chosen, or the first of several equal ones', async () => {
  expect((await typeChoice([])).zones).toEqual(['a subnet-1', 'b subnet-2'])
})

test('a launch is expected to use as many addresses as the smallest instance type that is possible in the zone', async () => {
  const types = [
    typeFor(29, onDemand('a'), onDemand('b')),
    typeFor(10, onDemand('a'), onDemand('b', { available: false })),
    typeFor(4, { as: 'spot', price: 1, zone: 'a' }),
  ]
  expect((await typeChoice(types)).taken).toEqual(['subnet-1 50 10', 'subnet-2 40 29'])
  expect((await typeChoice(types, 'spot')).taken).toEqual(['subnet-1 50 4', 'subnet-2 40 0'])
  const { pods: _, ...capacity } = typeFor(1).capacity
  expect((await typeChoice([{ ...typeFor(1, onDemand('a')), capacity }])).taken[0]).toBe('subnet-1 50 0')
})

/** Creates two subnets of one zone. The first has eleven more free addresses than the second. */
const launching = async () => {
  const of = harness()
  of.ec2.subnets = [subnet('subnet-1', 'a', 31), subnet('subnet-2', 'a', 20)]
  const found = await of.find()
  const types = [typeFor(10, onDemand('a'))]
  const choose = () => of.subnets.choose(found, types, 'on-demand')
  return { ...of, choose, chosen: () => choose().byZone.get('a')?.id }
}

test('addresses that a launch did not use are released once, unless a newer reading or an exhaustion came in between', async () => {
  const { subnets, choose, chosen } = await launching()
  const [first, second] = [choose(), choose()]
  expect([first, second].map(({ byZone }) => byZone.get('a')?.id)).toEqual(['subnet-1', 'subnet-1'])
  expect(second.reserved.get('subnet-1')).toEqual({ counted: 31, addresses: 10 })
  subnets.settle(first, new Set(['subnet-1']))
  subnets.settle(second, new Set())
  // The first launch used ten of the 31 addresses, so 21 are free in subnet-1 and 20 in subnet-2.
  expect([chosen(), chosen()]).toEqual(['subnet-1', 'subnet-2'])
  const late = await launching()
  const choice = late.choose()
  late.subnets.exhausted('subnet-1')
  late.subnets.settle(choice, new Set())
  expect(late.chosen()).toBe('subnet-2')
})

test('a new reading resets the count of launches', async () => {
  const { clock, find, choose, chosen } = await launching()
  choose()
  choose()
  await clock.advance(MINUTE)
  await find()
  expect([chosen(), chosen(), chosen()]).toEqual(['subnet-1', 'subnet-1', 'subnet-2'])
})

test('only offerings in the zone and with the capacity type count', async () => {
  const types = [
    offeredType('m5.large', [onDemand('b')]),
    offeredType('c5.large', [{ as: 'spot', price: 1, zone: 'a' }]),
  ]
  expect(types[0]?.offerings[0]?.requirements.map(({ key }) => key)).toContain(labels.zone)
  expect((await typeChoice(types)).taken).toEqual(['subnet-1 50 0', 'subnet-2 40 29'])
})
