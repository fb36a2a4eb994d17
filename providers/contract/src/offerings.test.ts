import { parseResources } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { fits, offeringAllocatable } from './allocatable.ts'
import { comparePrices, orderByPrice, usableTypes, worstLaunchPrice } from './offerings.ts'
import { admitsAbsence, admitsValue, areCompatible } from './requirements.ts'

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
const CAPACITY = 'karpenter.sh/capacity-type'
const ZONE = 'topology.kubernetes.io/zone'
const offering = (capacityType: string, price: number, available = true) => ({
  requirements: [is(CAPACITY, capacityType), is(ZONE, 'a')],
  price,
  available,
})
const type = (name: string, offerings: InstanceType['offerings'], family = 'f'): InstanceType => ({
  name,
  requirements: [is('node.kubernetes.io/instance-type', name), is('family', family)],
  offerings,
  capacity: parseResources({ cpu: '4', memory: '8Gi', 'hugepages-2Mi': '1Gi' }),
  overhead: { kubeReserved: parseResources({ cpu: '100m' }), evictionThreshold: parseResources({ memory: '100Mi' }) },
})

describe('a requirement and a value', () => {
  test.each([
    ['In', ['a', 'b'], 'a', true],
    ['In', ['a', 'b'], 'c', false],
    ['NotIn', ['a'], 'a', false],
    ['NotIn', ['a'], 'b', true],
    ['Exists', [], 'x', true],
    ['DoesNotExist', [], 'x', false],
    ['Gt', ['4'], '5', true],
    ['Gt', ['4'], '4', false],
    ['Gte', ['4'], '4', true],
    ['Lt', ['4'], '3', true],
    ['Lt', ['4'], '4', false],
    ['Lte', ['4'], '4', true],
    ['Gt', ['4'], '16Gi', false],
    ['Lt', ['99999999999999999999'], '99999999999999999998', true],
  ] as const)('%s %j, %s: %s', (operator, values, value, expected) => {
    expect(admitsValue({ key: 'k', operator, values }, value)).toBe(expected)
  })

  test('only NotIn and DoesNotExist allow the label to be missing', () => {
    const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'] as const
    expect(operators.filter((operator) => admitsAbsence({ key: 'k', operator, values: ['1'] }))).toEqual([
      'NotIn',
      'DoesNotExist',
    ])
  })

  test.each([
    [[is('k', 'a')], [is('k', 'a', 'b')], true],
    [[is('k', 'a'), is('k', 'b')], [is('k', 'a', 'b')], false],
    [[is('k', 'a')], [is('other', 'x')], true],
    [[is('k', 'a')], [{ key: 'k', operator: 'DoesNotExist' }], false],
    [[{ key: 'k', operator: 'NotIn', values: ['a'] }], [{ key: 'k', operator: 'DoesNotExist' }], true],
    [[{ key: 'k', operator: 'DoesNotExist' }], [{ key: 'k', operator: 'Exists' }], false],
    [[is('k', 'a')], [{ key: 'k', operator: 'Exists' }], true],
  ] as [RequirementSpec[], RequirementSpec[], boolean][])('%j against %j: %s', (wanted, offered, expected) => {
    expect(areCompatible(wanted, offered)).toBe(expected)
  })
})

describe('the amounts of a type that are available to pods', () => {
  test('are capacity minus overhead, with huge pages subtracted from memory, never below zero', () => {
    expect(offeringAllocatable(type('t', []))).toEqual(
      parseResources({ cpu: '3900m', memory: '7068Mi', 'hugepages-2Mi': '1Gi' }),
    )
    const tiny = { ...type('t', []), capacity: parseResources({ cpu: '50m', memory: '1Mi' }) }
    expect(offeringAllocatable(tiny)).toEqual(parseResources({ cpu: '0', memory: '0' }))
  })

  test('use an offering’s overrides', () => {
    const override = { ...offering('spot', 1), capacityOverride: parseResources({ cpu: '8', 'example.com/gpu': '1' }) }
    expect(offeringAllocatable(type('t', [override]), override)).toMatchObject(
      parseResources({ cpu: '7900m', 'example.com/gpu': '1' }),
    )
  })

  test('must contain the requested resources', () => {
    expect(fits(parseResources({ cpu: '3900m' }), offeringAllocatable(type('t', [])))).toBe(true)
    expect(fits(parseResources({ cpu: '3901m' }), offeringAllocatable(type('t', [])))).toBe(false)
    expect(fits(parseResources({ 'example.com/gpu': '1' }), offeringAllocatable(type('t', [])))).toBe(false)
  })
})

describe('the order and selection of types', () => {
  const spotty = type('spotty', [offering('spot', 1), offering('on-demand', 3)], 'x')
  const plain = type('plain', [offering('on-demand', 2)], 'y')
  const sold = type('sold', [offering('on-demand', 0.1, false)], 'z')

  test('types are sorted by their cheapest available offering', () => {
    expect(orderByPrice([sold, plain, spotty], []).map(({ name }) => name)).toEqual(['spotty', 'plain', 'sold'])
    const onDemand = [is(CAPACITY, 'on-demand')]
    expect(orderByPrice([spotty, plain], onDemand).map(({ name }) => name)).toEqual(['plain', 'spotty'])
    expect(usableTypes([sold, plain, spotty], [is(CAPACITY, 'spot')]).map(({ name }) => name)).toEqual(['spotty'])
  })

  test('types without a known price are sorted by size, after all types with a price', () => {
    const nobodyKnows = (name: string, cpu: string) => ({
      ...type(name, [{ ...offering('on-demand', 1), price: undefined }], 'x'),
      capacity: parseResources({ cpu, memory: '8Gi', pods: '10' }),
    })
    const unknown = [nobodyKnows('a-large', '16'), nobodyKnows('z-small', '2'), nobodyKnows('m-small', '2')]
    const dear = type('dear', [offering('on-demand', 1_000)], 'y')
    const order = orderByPrice([...unknown, dear], []).map(({ name }) => name)
    expect(order).toEqual(['dear', 'm-small', 'z-small', 'a-large'])
    expect([3, undefined, 1, undefined].toSorted(comparePrices)).toEqual([1, 3, undefined, undefined])
    expect(worstLaunchPrice([offering('spot', 1), { ...offering('spot', 1), price: undefined }], [])).toBe(
      Number.POSITIVE_INFINITY,
    )
  })

  test('the worst launch price is that of the first available capacity type', () => {
    const offerings = [
      offering('on-demand', 5),
      offering('spot', 1),
      offering('spot', 2),
      offering('reserved', 0, false),
    ]
    expect(worstLaunchPrice(offerings, [])).toBe(2)
    expect(worstLaunchPrice(offerings, [is(CAPACITY, 'on-demand')])).toBe(5)
    expect(worstLaunchPrice(offerings, [is(ZONE, 'b')])).toBeUndefined()
  })
})
