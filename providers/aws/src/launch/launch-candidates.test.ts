import { labels, parseResources } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { isInsufficientCapacity } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { awsLabels } from '../label-names.ts'
import { is, offeredType as type } from '../testing/offered-type.ts'
import { launchCandidates, launchCapacityType, launchTenancy } from './launch-candidates.ts'

const request = (requirements: readonly RequirementSpec[] = [], requests: Readonly<Record<string, string>> = {}) => ({
  requirements,
  requests: parseResources(requests),
  minValuesPolicy: 'Strict' as const,
})
const names = (types: readonly InstanceType[]): readonly string[] => types.map(({ name }) => name)
const shown = (types: readonly InstanceType[]): readonly string[] =>
  types.flatMap(({ name, offerings }) =>
    offerings.map(
      ({ requirements, price }) =>
        `${name} ${requirements.find(({ key }) => key === labels.capacityType)?.values?.[0]} ${price}`,
    ),
  )

const cheap = type('m5.large', [
  { as: 'on-demand', price: 1 },
  { as: 'spot', price: 0.4 },
])
const dear = type('r5.large', [
  { as: 'on-demand', price: 2 },
  { as: 'spot', price: 0.8 },
])

test('types that do not fit, are unavailable or are excluded by the requirements are left out', () => {
  const gone = type('c5.large', [{ as: 'on-demand', price: 1, available: false }])
  expect(names(launchCandidates([dear, gone, cheap], request([], { cpu: '3' })))).toEqual(['m5.large', 'r5.large'])
  expect(names(launchCandidates([dear, cheap], request([is(labels.instanceType, 'r5.large')])))).toEqual(['r5.large'])
  for (const nothing of [request([], { cpu: '5' }), request([is(labels.instanceType, 'x')])]) {
    let thrown: unknown
    try {
      launchCandidates([dear, cheap], nothing)
    } catch (error) {
      thrown = error
    }
    expect(isInsufficientCapacity(thrown)).toBe(true)
  }
})

test('bare metal and accelerators are left out if other types remain', () => {
  const metal = type('m5.metal', [{ as: 'on-demand', price: 0.5 }])
  const gpu = type('g4dn.xlarge', [{ as: 'on-demand', price: 0.5 }], { 'nvidia.com/gpu': 1 })
  expect(names(launchCandidates([metal, gpu, cheap], request()))).toEqual(['m5.large'])
  expect(names(launchCandidates([metal, gpu], request()))).toEqual(['g4dn.xlarge', 'm5.metal'])
  expect(names(launchCandidates([gpu, cheap], request([], { 'nvidia.com/gpu': '1' })))).toEqual(['g4dn.xlarge'])
  const withMinimum = request([{ key: labels.instanceType, operator: 'Exists', minValues: 2 }])
  expect(names(launchCandidates([metal, cheap], withMinimum))).toEqual(['m5.large', 'm5.metal'])
})

test('spot offerings that cost more than the cheapest on-demand offering are left out, if both are allowed', () => {
  const odd = type('c5.large', [
    { as: 'on-demand', price: 3 },
    { as: 'spot', price: 1.5 },
  ])
  const onlySpot = type('c5a.large', [{ as: 'spot', price: 1.5 }])
  const both = request([is(labels.capacityType, 'spot', 'on-demand')])
  expect(shown(launchCandidates([cheap, odd, onlySpot], both))).toEqual([
    'm5.large on-demand 1',
    'm5.large spot 0.4',
    'c5.large on-demand 3',
  ])
  expect(names(launchCandidates([cheap, odd, onlySpot], request([is(labels.capacityType, 'spot')])))).toEqual([
    'm5.large',
    'c5.large',
    'c5a.large',
  ])
})

test('reservations come first: only one kind, and in each zone the one with the most free capacity', () => {
  const reserved = type('m5.large', [
    { as: 'on-demand', price: 1 },
    { as: 'reserved', price: 1e-7, reservation: 'cr-1', left: 1 },
    { as: 'reserved', price: 1e-7, reservation: 'cr-2', left: 5 },
    { as: 'reserved', price: 1e-7, reservation: 'cr-3', left: 1, zone: 'b' },
    { as: 'reserved', price: 2e-7, reservation: 'cr-4', left: 9, interruptible: true },
  ])
  const [found] = launchCandidates([reserved, dear], request())
  const ids = found?.offerings.map(
    ({ requirements }) => requirements.find(({ key }) => key === awsLabels.capacityReservationId)?.values?.[0],
  )
  expect(ids).toEqual(['cr-2', 'cr-3'])
  expect(launchCapacityType(launchCandidates([reserved], request()), [])).toBe('reserved')
  const notReserved = request([is(labels.capacityType, 'on-demand')])
  expect(names(launchCandidates([reserved, dear], notReserved))).toEqual(['m5.large', 'r5.large'])
})

test('for capacity blocks, only the cheapest type with its cheapest offering is launched', () => {
  const block = (name: string, price: number) =>
    type(name, [{ as: 'reserved', price, reservation: `cr-${name.slice(0, 2)}`, left: 1, kind: 'capacity-block' }])
  expect(shown(launchCandidates([block('p5.48xlarge', 3e-6), block('p4d.24xlarge', 2e-6)], request()))).toEqual([
    'p4d.24xlarge reserved 0.000002',
  ])
})

test('at most the sixty cheapest types are used; if they are too few for minValues, the error is insufficient capacity', () => {
  const many = Array.from({ length: 100 }, (_, index) =>
    type(`m${index}.large`, [{ as: 'on-demand', price: 100 - index }]),
  )
  const found = launchCandidates(many, request())
  expect(found).toHaveLength(60)
  expect(found[0]?.name).toBe('m99.large')
  const tooMany = request([{ key: labels.instanceType, operator: 'Exists', minValues: 70 }])
  expect(() => launchCandidates(many, tooMany)).toThrow(/insufficient capacity/)
  expect(launchCandidates(many, { ...tooMany, minValuesPolicy: 'BestEffort' })).toHaveLength(60)
})

test('the input is not modified', () => {
  const types = [cheap, dear]
  const copy = structuredClone(types)
  launchCandidates(types, request([is(labels.capacityType, 'spot', 'on-demand')]))
  expect(types).toEqual(copy)
})

test.each([
  [[], 'default'],
  [[is(awsLabels.tenancy, 'dedicated')], 'dedicated'],
  [[is(awsLabels.tenancy, 'dedicated', 'default')], 'default'],
] as const)('tenancy of %j is %s', (requirements, tenancy) => {
  expect(launchTenancy(requirements)).toBe(tenancy)
})
