import { describe, expect, test } from 'vitest'
import type { InstanceType, Offering, RequirementSpec } from '../instance-type.ts'
import type { PlannedClaim } from '../plan.ts'
import { blockerRemedy, blockerSentence } from './blocker.ts'
import { nodePrice } from './prices.ts'
import { cheaperReplacement, type ReplacedNode, replacementSavings, withoutSameType } from './replacement.ts'

const CAPACITY = 'karpenter.sh/capacity-type'
const ZONE = 'topology.kubernetes.io/zone'
const TYPE = 'node.kubernetes.io/instance-type'

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({
  key,
  operator: 'In',
  values: [...values],
})
const offer = (capacityType: string, zone: string, price: number | undefined, available = true): Offering => ({
  requirements: [is(CAPACITY, capacityType), is(ZONE, zone)],
  price,
  available,
})
const type = (name: string, ...offerings: readonly Offering[]): InstanceType => ({
  name,
  requirements: [is(TYPE, name)],
  offerings,
  capacity: {},
  overhead: {},
})
/** Returns an instance type with one zone. Its on-demand price is `price`, and its spot price is half of that. */
const plain = (name: string, price: number): InstanceType =>
  type(name, offer('on-demand', 'z', price), offer('spot', 'z', price / 2))

const planned = (types: readonly InstanceType[], ...requirements: readonly RequirementSpec[]): PlannedClaim => ({
  nodePool: 'general',
  pods: [],
  requirements: [is(TYPE, ...types.map(({ name }) => name)), ...requirements],
  instanceTypes: types.map(({ name }) => name),
  cheapest: { instanceType: types[0]?.name ?? '', zone: 'z', capacityType: 'spot', price: 0 },
  requests: {},
  labels: {},
  annotations: {},
  spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'n' }, requirements: [] },
  minValuesRelaxed: false,
  reasons: [],
})
const node = (of: InstanceType | undefined, capacityType = 'on-demand'): ReplacedNode => {
  const labels = { [CAPACITY]: capacityType, [ZONE]: 'z' }
  return { labels, type: of, price: nodePrice(of, labels) }
}
const names = (result: ReturnType<typeof cheaperReplacement>): readonly string[] | string =>
  'code' in result ? result.code : result.instanceTypes
const both = is(CAPACITY, 'spot', 'on-demand')
const rules = { spotToSpot: false }

// `docs/spec/disruption.md#candidates`
describe('the price of a node', () => {
  test('is the price of its own offering, available or not; 0 without an offering, and undefined if the price is unknown', () => {
    const gone = type('t', offer('on-demand', 'z', 3, false), offer('spot', 'z', 1))
    expect(node(gone).price).toBe(3)
    expect(node(undefined).price).toBe(0)
    expect(node(type('t', offer('on-demand', 'other', 3))).price).toBe(0)
    expect(node(type('t', offer('on-demand', 'z', Number.NaN))).price).toBeUndefined()
    expect(node(type('t', offer('on-demand', 'z', undefined))).price).toBeUndefined()
  })
})

// `docs/spec/disruption.md#consolidation`
describe('a cheaper replacement', () => {
  test('names the cheapest offering that is available and within the requirements', () => {
    const offerings = [
      offer('on-demand', 'sold-out', 1, false),
      offer('spot', 'other-capacity-type', 1.1),
      offer('on-demand', 'dearer', 3),
      offer('on-demand', 'open', 2),
    ]
    const types = [type('small', ...offerings)]
    const result = cheaperReplacement(planned(types, is(CAPACITY, 'on-demand')), types, [node(plain('x', 9))], rules)
    if ('code' in result) throw new Error(result.code)
    expect(result.cheapest).toEqual({ instanceType: 'small', zone: 'open', capacityType: 'on-demand', price: 2 })
  })

  test('keeps the types whose highest price is below the limit, cheapest first, as spot if both are allowed', () => {
    const types = [plain('big', 4), plain('same', 2), plain('small', 1)]
    const result = cheaperReplacement(planned(types, both), types, [node(plain('x', 1.5))], rules)
    expect(names(result)).toEqual(['small', 'same'])
    if ('code' in result) throw new Error(result.code)
    expect(result.requirements).toContainEqual(is(CAPACITY, 'spot'))
    expect(result.requirements).toContainEqual(is(TYPE, 'same', 'small'))
    expect(result.spec.requirements).toContainEqual(is(CAPACITY, 'spot'))
    expect(result.cheapest).toEqual({ instanceType: 'small', zone: 'z', capacityType: 'spot', price: 0.5 })
  })

  test('an equal price is not cheaper, and nothing is cheaper than a node of an unknown type, whose price is 0', () => {
    const types = [plain('same', 2)]
    const onDemand = planned(types, is(CAPACITY, 'on-demand'))
    expect(cheaperReplacement(onDemand, types, [node(plain('x', 2))], rules)).toEqual({
      code: 'price.not-cheaper',
      price: 2,
      closest: 2,
    })
    expect(names(cheaperReplacement(onDemand, types, [node(undefined)], rules))).toBe('price.not-cheaper')
  })

  test('the most expensive spot offering within the requirements counts', () => {
    const spread = type('spread', offer('spot', 'a', 0.3), offer('spot', 'b', 0.9))
    const old = node(plain('x', 0.5))
    expect(names(cheaperReplacement(planned([spread], both), [spread], [old], rules))).toBe('price.not-cheaper')
    const inZone = planned([spread], both, is(ZONE, 'a'))
    expect(names(cheaperReplacement(inZone, [spread], [old], rules))).toEqual(['spread'])
  })

  test('if there are reserved offerings, their prices decide', () => {
    const reserved = type('t', offer('reserved', 'z', 0.01), offer('spot', 'z', 5), offer('on-demand', 'z', 9))
    const all = planned([reserved], is(CAPACITY, 'reserved', 'spot', 'on-demand'))
    expect(names(cheaperReplacement(all, [reserved], [node(plain('x', 1))], rules))).toEqual(['t'])
    const held = (price: number) => node(type('held', offer('reserved', 'z', price)), 'reserved')
    expect(names(cheaperReplacement(all, [reserved], [held(0.02)], rules))).toEqual(['t'])
    expect(names(cheaperReplacement(all, [reserved], [held(0.01)], rules))).toBe('price.not-cheaper')
  })

  test('types without spot are not launched as spot; without any spot the replacement is on-demand', () => {
    const onDemandOnly = type('od', offer('on-demand', 'z', 0.5), offer('spot', 'z', 0.2, false))
    const types = [plain('both', 1), onDemandOnly]
    expect(names(cheaperReplacement(planned(types, both), types, [node(plain('x', 2))], rules))).toEqual(['both'])
    const result = cheaperReplacement(planned([onDemandOnly], both), [onDemandOnly], [node(plain('x', 2))], rules)
    if ('code' in result) throw new Error(result.code)
    expect(result.requirements).toContainEqual(is(CAPACITY, 'on-demand'))
  })

  test('minValues must hold after the filter', () => {
    const types = [plain('a', 1), plain('b', 5)]
    const claim = planned(types, is(CAPACITY, 'on-demand'))
    const strict = {
      ...claim,
      requirements: claim.requirements.map((spec) => (spec.key === TYPE ? { ...spec, minValues: 2 } : spec)),
    }
    const result = cheaperReplacement(strict, types, [node(plain('x', 2))], rules)
    expect(result).toEqual({ code: 'min-values.unmet', keys: [{ key: TYPE, count: 1 }], types: 1 })
    if (!('code' in result)) throw new Error()
    expect(blockerSentence(result)).toContain('Filtering by price: ')
  })
})

describe('spot to spot', () => {
  const types = Array.from({ length: 30 }, (_, index) => plain(`t${String(index).padStart(2, '0')}`, 1 + index / 10))
  const gate = { spotToSpot: true }
  const old = (cheaper: number) => node(plain('x', 1 + cheaper / 10 - 0.05), 'spot')

  test('is disabled without the feature gate, which an on-demand replacement does not need', () => {
    expect(names(cheaperReplacement(planned(types, both), types, [old(20)], rules))).toBe('spot.disabled')
    const onDemand = planned(types, is(CAPACITY, 'on-demand'))
    expect(names(cheaperReplacement(onDemand, types, [old(1)], rules))).toBe('price.not-cheaper')
  })

  test('one node needs 15 cheaper types, and the claim lists exactly the 15 cheapest', () => {
    expect(cheaperReplacement(planned(types, both), types, [old(14)], gate)).toEqual({
      code: 'spot.too-few-types',
      types: 14,
      needed: 15,
    })
    const result = cheaperReplacement(planned(types, both), types.toReversed(), [old(20)], gate)
    expect(names(result)).toEqual(types.slice(0, 15).map(({ name }) => name))
  })

  test('the claim lists more types if minValues needs them, but never fewer than 15', () => {
    const withMin = (minValues: number) => {
      const claim = planned(types, both)
      return {
        ...claim,
        requirements: claim.requirements.map((spec) => (spec.key === TYPE ? { ...spec, minValues } : spec)),
      }
    }
    expect(names(cheaperReplacement(withMin(20), types, [old(25)], gate)).length).toBe(20)
    expect(names(cheaperReplacement(withMin(3), types, [old(25)], gate)).length).toBe(15)
  })

  test('several nodes have no minimum number of types, and if one of them is on-demand the normal rules apply', () => {
    const two = [plain('a', 1), plain('b', 1.1)]
    const olds = [node(plain('x', 2), 'spot'), node(plain('x', 2), 'spot')]
    expect(names(cheaperReplacement(planned(two, both), two, olds, gate))).toEqual(['a', 'b'])
    const mixed = [node(plain('x', 2), 'spot'), node(plain('x', 2))]
    expect(names(cheaperReplacement(planned(two, both), two, mixed, rules))).toEqual(['a', 'b'])
  })
})

describe('the same type as a replaced node', () => {
  const nano = plain('nano', 0.5)
  const small = plain('small', 1)
  const xlarge = plain('xlarge', 3)
  const huge = plain('2xlarge', 4)
  const olds = [node(huge), node(huge), node(small)]
  const onDemand = is(CAPACITY, 'on-demand')

  test('the cheapest type that a replaced node has, and all more expensive types, are removed', () => {
    const options = [small, xlarge, huge]
    expect(names(withoutSameType(planned(options, onDemand), options, olds))).toBe('price.not-cheaper')
    const more = [nano, ...options]
    expect(names(withoutSameType(planned(more, onDemand), more, olds))).toEqual(['nano'])
  })

  test('if no replaced node has one of the types, all types stay', () => {
    expect(names(withoutSameType(planned([xlarge], onDemand), [xlarge], [node(huge)]))).toEqual(['xlarge'])
  })

  test('if the type of a replaced node has no offering like the node, its price is 0, so no type is left', () => {
    const lost: ReplacedNode = { labels: {}, type: small, price: 0 }
    expect(names(withoutSameType(planned([nano, small], onDemand), [nano, small], [lost]))).toBe('price.not-cheaper')
  })

  test('an unknown price of the type of a replaced node stays unknown', () => {
    const unpriced = node(type('small', offer('on-demand', 'z', undefined)))
    const result = withoutSameType(planned([nano, small], onDemand), [nano, small], [unpriced])
    expect(result).toEqual({ code: 'price.unknown', type: 'small' })
    expect(names(withoutSameType(planned([nano], onDemand), [nano], [unpriced]))).toEqual(['nano'])
  })
})

describe('savings', () => {
  const types = new Map([plain('a', 1), plain('b', 2)].map((each) => [each.name, each]))
  const typeNamed = (_pool: string, name: string) => types.get(name)
  const sources = [{ price: 3 }, { price: 4 }]

  test('prices of the nodes minus the cheapest offering of each replacement’s first type, within its requirements', () => {
    const all = [...types.values()]
    expect(replacementSavings(sources, [], typeNamed)).toBe(7)
    expect(replacementSavings(sources, [planned(all, both)], typeNamed)).toBe(6.5)
    expect(replacementSavings(sources, [planned(all, is(CAPACITY, 'on-demand'))], typeNamed)).toBe(6)
    expect(replacementSavings(sources, [planned(all, both), planned(all, both)], typeNamed)).toBe(6)
    expect(replacementSavings(sources, [planned(all, both, is(ZONE, 'elsewhere'))], typeNamed)).toBe(7)
    expect(replacementSavings(sources, [planned([], both)], typeNamed)).toBe(7)
  })
})

// `docs/decisions/0007-unknown-prices.md`
describe('unknown prices', () => {
  const onDemand = is(CAPACITY, 'on-demand')
  const unknown = (name: string): InstanceType => type(name, offer('on-demand', 'z', undefined))
  const dear = node(plain('dear', 10))

  test('a node with an unknown price is not replaced', () => {
    const types = [plain('cheap', 0.001)]
    const old = { ...node(unknown('old')), labels: { [TYPE]: 'old' } }
    expect(cheaperReplacement(planned(types, onDemand), types, [dear, old], rules)).toEqual({
      code: 'price.unknown',
      type: 'old',
    })
  })

  test('a type with an unknown price is not used, and is the reason if no other type is cheaper', () => {
    const types = [unknown('a'), plain('b', 1), unknown('c')]
    expect(names(cheaperReplacement(planned(types, onDemand), types, [dear], rules))).toEqual(['b'])
    const left = [unknown('a'), unknown('c')]
    expect(cheaperReplacement(planned(left, onDemand), left, [dear], rules)).toEqual({
      code: 'price.unknown',
      type: 'a',
    })
    const dearer = [unknown('a'), plain('b', 20)]
    expect(names(cheaperReplacement(planned(dearer, onDemand), dearer, [dear], rules))).toBe('price.unknown')
  })

  test('a type with one unknown price may cost anything', () => {
    const half = type('half', offer('on-demand', 'z', 1), offer('on-demand', 'y', undefined))
    expect(names(cheaperReplacement(planned([half], onDemand), [half], [dear], rules))).toBe('price.unknown')
    expect(names(cheaperReplacement(planned([half], onDemand, is(ZONE, 'z')), [half], [dear], rules))).toEqual(['half'])
  })

  test('the savings of a move are unknown', () => {
    const types = [plain('b', 1), unknown('c')]
    const named = (_: string, name: string) => types.find((each) => each.name === name)
    expect(replacementSavings([dear], [planned([plain('b', 1)], onDemand)], named)).toBe(9)
    expect(replacementSavings([dear], [planned([unknown('c')], onDemand)], named)).toBeUndefined()
    expect(replacementSavings([dear, node(unknown('old'))], [], named)).toBeUndefined()
  })

  test('the remedy says what to do', () => {
    const blocker = { code: 'price.unknown', type: 'rack-2' } as const
    expect(blockerSentence(blocker)).toBe(
      'the price of Instance Type "rack-2" is unknown, so only empty nodes are removed',
    )
    expect(blockerRemedy(blocker)).toContain('kerf.sh/hourly-price')
  })
})

test('the cost of every node in addition to its instance counts on both sides', () => {
  const types = [plain('big', 4.5)]
  const onDemand = planned(types, is(CAPACITY, 'on-demand'))
  const pair = [node(plain('x', 2)), node(plain('y', 2))]
  // The new node must cost less than both old nodes. Without a cost per node, 4.5 is not less than 4. With $0.5 per node, 5 is not less
  // than 5. With $1 per node, 5.5 is less than 6.
  const withCost = (cost: number) => {
    const replaced = pair.map((each) => ({ ...each, price: (each.price ?? 0) + cost }))
    const result = cheaperReplacement(onDemand, types, replaced, { ...rules, nodeOverheadCost: cost })
    const claims = 'code' in result ? [] : [result]
    return { found: names(result), savings: replacementSavings(replaced, claims, () => types[0], cost) }
  }
  expect(withCost(0).found).toBe('price.not-cheaper')
  expect(withCost(0.5).found).toBe('price.not-cheaper')
  expect(withCost(1)).toEqual({ found: ['big'], savings: 0.5 })
})
