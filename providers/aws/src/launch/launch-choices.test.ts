import { labels, parseResources } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { isInsufficientCapacity } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { awsLabels } from '../label-names.ts'
import { type Buy, is, offeredType } from '../testing/offered-type.ts'
import { launchCandidates, launchCapacityType } from './launch-candidates.ts'

// See `providers/aws/docs/spec/aws.md#instances`, steps 1 and 2.

const request = (...requirements: readonly RequirementSpec[]) => ({
  requirements,
  requests: parseResources({}),
  minValuesPolicy: 'Strict' as const,
})
const buy = (as: Buy['as'], price: number, more: Partial<Buy> = {}): Buy => ({ as, price, ...more })
const reserved = (reservation: string, price: number, more: Partial<Buy> = {}): Buy =>
  buy('reserved', price, { reservation, left: 1, ...more })

/** Each offering as `type reservation`, or `type price` for one without a reservation. */
const shown = (types: readonly InstanceType[]): readonly string[] =>
  types.flatMap(({ name, offerings }) =>
    offerings.map(({ requirements, price }) => {
      const id = requirements.find(({ key }) => key === awsLabels.capacityReservationId)?.values?.[0]
      return `${name} ${id ?? price}`
    }),
  )
const chosen = (types: readonly InstanceType[], ...requirements: readonly RequirementSpec[]): readonly string[] =>
  shown(launchCandidates(types, request(...requirements)))

test.each<[string, readonly Buy[], readonly string[]]>([
  ['the kind of the cheapest', [reserved('cr-1', 2), reserved('cr-2', 1, { interruptible: true })], ['m5.large cr-2']],
  [
    'default where they are equally cheap',
    [reserved('cr-1', 1, { interruptible: true }), reserved('cr-2', 1)],
    ['m5.large cr-2'],
  ],
  [
    'a capacity block before interruptible ones where they are equally cheap',
    [reserved('cr-1', 1, { interruptible: true }), reserved('cr-2', 1, { kind: 'capacity-block' })],
    ['m5.large cr-2'],
  ],
  [
    'a block that may be interrupted is a block',
    [
      reserved('cr-1', 1, { kind: 'capacity-block', interruptible: true }),
      reserved('cr-2', 2, { kind: 'capacity-block', zone: 'b' }),
    ],
    ['m5.large cr-1'],
  ],
])('only one kind of reservation is used: %s', (_what, buys, expected) => {
  expect(chosen([offeredType('m5.large', buys)])).toEqual(expected)
})

test('of two blocks with the same price, the first is used', () => {
  const block = (name: string, reservation: string): InstanceType =>
    offeredType(name, [reserved(reservation, 1, { kind: 'capacity-block' })])
  expect(chosen([block('p5.48xlarge', 'cr-1'), block('p4d.24xlarge', 'cr-2')])).toEqual(['p5.48xlarge cr-1'])
})

test('each type keeps its own reservations; of two with equal capacity in a zone the first is kept; an unreported capacity counts as zero', () => {
  const types = [
    offeredType('m5.large', [
      reserved('cr-1', 1, { left: 2 }),
      reserved('cr-2', 1, { left: 2 }),
      { ...reserved('cr-3', 1, { zone: 'b' }), left: 0 },
    ]),
    offeredType('r5.large', [buy('reserved', 1, { reservation: 'cr-4' }), reserved('cr-5', 1)]),
    offeredType('c5.large', [buy('on-demand', 0.1)]),
  ]
  expect(chosen(types)).toEqual(['m5.large cr-1', 'm5.large cr-3', 'r5.large cr-5'])
})

test('unusable reservations do not affect other capacity types', () => {
  const type = offeredType('m5.large', [buy('on-demand', 1), reserved('cr-1', 1e-7, { available: false })])
  expect(chosen([type])).toEqual(['m5.large 1', 'm5.large cr-1'])
  expect(launchCapacityType([type], [])).toBe('on-demand')
})

test('spot that costs as much as on-demand stays; more expensive offerings are removed, and their type if none is left', () => {
  const types = [
    offeredType('m5.large', [buy('on-demand', 1), buy('spot', 1)]),
    offeredType('c5.large', [buy('on-demand', 3), buy('spot', 1.1), buy('spot', 0.9, { zone: 'b' })]),
    offeredType('r5.large', [buy('spot', 1.1), buy('on-demand', 0.5, { available: false })]),
  ]
  const both = is(labels.capacityType, 'spot', 'on-demand')
  expect(chosen(types, both)).toEqual(['c5.large 3', 'c5.large 0.9', 'm5.large 1', 'm5.large 1'])
})

test('if only one of spot and on-demand is available, prices are not compared', () => {
  const spotOnly = [offeredType('m5.large', [buy('spot', 9)]), offeredType('c5.large', [buy('spot', 1)])]
  expect(chosen(spotOnly)).toEqual(['c5.large 1', 'm5.large 9'])
  const odd = [offeredType('m5.large', [buy('on-demand', 2), buy('spot', 9)])]
  expect(chosen(odd, is(labels.capacityType, 'on-demand'))).toEqual(['m5.large 2', 'm5.large 9'])
})

test('with minValues, bare metal, accelerators and expensive spot offerings stay', () => {
  const types = [
    offeredType('m5.large', [buy('on-demand', 1), buy('spot', 2)]),
    offeredType('m5.metal', [buy('on-demand', 3)]),
  ]
  const two: RequirementSpec = { key: labels.instanceType, operator: 'Exists', minValues: 2 }
  expect(chosen(types, two)).toEqual(['m5.large 1', 'm5.large 2', 'm5.metal 3'])
})

test.each(['nvidia.com/gpu', 'amd.com/gpu', 'habana.ai/gaudi', 'aws.amazon.com/neuron', 'aws.amazon.com/neuroncore'])(
  'a type with %s is left out if others remain; a type with a zero amount is not',
  (resource) => {
    const on = (name: string, extra: Readonly<Record<string, number>>): InstanceType =>
      offeredType(name, [buy('on-demand', 1)], extra)
    expect(chosen([on('x1.large', { [resource]: 2 }), on('x2.large', { [resource]: 0 })])).toEqual(['x2.large 1'])
  },
)

test('if no available offering is large enough for the requests, the error is insufficient capacity', () => {
  const types = [offeredType('m5.large', [buy('on-demand', 1, { zone: 'b' })])]
  const thrownError = (work: () => unknown): unknown => {
    try {
      work()
    } catch (error) {
      return error
    }
    throw new Error('it did not fail')
  }
  expect(isInsufficientCapacity(thrownError(() => chosen(types, is(labels.zone, 'a'))))).toBe(true)
  const five = { ...request(), requests: parseResources({ pods: '30' }) }
  expect(isInsufficientCapacity(thrownError(() => launchCandidates(types, five)))).toBe(true)
  expect(chosen(types, is(labels.zone, 'b'))).toEqual(['m5.large 1'])
})

test('the capacity type is the first of reserved, spot and on-demand that is allowed and available', () => {
  const all = [offeredType('m5.large', [buy('on-demand', 1), buy('spot', 1), reserved('cr-1', 1)])]
  const boughtAs = (types: readonly InstanceType[], ...allowed: readonly string[]): string =>
    launchCapacityType(types, allowed.length === 0 ? [] : [is(labels.capacityType, ...allowed)])
  expect(boughtAs(all)).toBe('reserved')
  expect(boughtAs(all, 'spot', 'on-demand')).toBe('spot')
  expect(boughtAs(all, 'on-demand')).toBe('on-demand')
  const some = [
    offeredType('m5.large', [buy('on-demand', 1), buy('spot', 1, { available: false })]),
    offeredType('c5.large', [buy('on-demand', 1), buy('spot', 1)]),
  ]
  expect(boughtAs(some)).toBe('spot')
  expect(boughtAs(some.slice(0, 1))).toBe('on-demand')
})
