import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { everyCombination, type, zone1, zone2 } from './instance-types.ts'
import { key } from './keys.ts'
import { is, type PodTraits, type PoolTraits } from './objects.ts'
import { asks } from './outcome.ts'

const types = everyCombination([1, 2, 4], [1, 2, 4])
const cheapest = Math.min(...types.flatMap(({ offerings }) => offerings.map(({ price = 0 }) => price)))
type Needs = readonly ReturnType<typeof is>[]
const arm: Needs = [is(key.arch, 'In', 'arm64')]
const windows: Needs = [is(key.os, 'In', 'windows')]
const second: Needs = [is(key.zone, 'In', zone2)]
const spot: Needs = [is(key.capacityType, 'In', 'spot')]
const onDemand: Needs = [is(key.capacityType, 'In', 'on-demand')]

const plan = (pool: Needs, pod: Needs) =>
  harness()
    .only({ types, requirements: pool })
    .pod('a', pod.length === 0 ? {} : { needs: pod })
    .plan()

const meets = (needs: Needs, claim: ReturnType<typeof plan>['claim']): boolean => {
  const found = types.find(({ name }) => name === claim.cheapest.instanceType)
  return needs.every(({ key: label, values }) =>
    found?.requirements.some((each) => each.key === label && each.values?.some((value) => values?.includes(value))),
  )
}

describe('Instance selection: the cheapest instance type for any combination of requirements', () => {
  test.each<[string, Needs, Needs]>([
    ['nobody for anything', [], []],
    ['pod for arch', [], arm],
    ['pool for arch', arm, []],
    ['both for arch', arm, arm],
    ['pod for os', [], windows],
    ['pool for os', windows, []],
    ['pod for zone', [], second],
    ['pool for zone', second, []],
    ['pod for spot', [], spot],
    ['pool for spot', spot, []],
    ['pod for on-demand', [], onDemand],
    ['pool for on-demand in a zone', [...onDemand, ...second], []],
    ['pod for on-demand in a zone', [], [...onDemand, ...second]],
    ['pool for on-demand, pod for a zone', onDemand, second],
    ['pool for arch and os, pod for zone and capacity type', [...arm, ...windows], [...second, ...spot]],
    ['pod for all four', [], [...arm, ...windows, ...second, ...onDemand]],
    ['pool for all four', [...arm, ...windows, ...second, ...onDemand], []],
  ])('%s', (_, pool, pod) => {
    const { claim } = plan(pool, pod)
    expect(claim.cheapest.price).toBe(cheapest)
    expect(meets([...pool, ...pod], claim)).toBe(true)
  })
})

describe('Instance selection: combinations without an offering', () => {
  test.each<[string, Needs, Needs]>([
    ['an arch, of the pod', [], [is(key.arch, 'In', 'arm')]],
    ['an arch, of the pod, in a zone', [], [is(key.arch, 'In', 'arm'), ...second]],
    ['an arch of the pool, a zone of the pod', [is(key.arch, 'In', 'arm')], second],
    ['pool and pod that contradict each other', spot, onDemand],
  ])('%s', (_, pool, pod) => expect(plan(pool, pod).left).toEqual(['a']))
})

test('Instance selection: every combination of cpu and memory gets an instance type with enough of both', () => {
  const grid = everyCombination()
  for (const cpu of [0.1, 1, 2, 2.5, 4, 8, 16]) {
    for (const memory of [0.1, 1, 2, 4, 8, 16, 32]) {
      const { claim } = harness()
        .only({ types: grid })
        .pod('a', { cpu: `${cpu}`, memory: `${memory}Gi` })
        .plan()
      for (const name of claim.instanceTypes) {
        const found = grid.find((each) => each.name === name)
        expect(Number(found?.capacity['cpu'] ?? 0n) / 1e9).toBeGreaterThanOrEqual(cpu + 0.1)
        expect(Number(found?.capacity['memory'] ?? 0n) / 1e9).toBeGreaterThanOrEqual(memory * 2 ** 30)
      }
    }
  }
})

test('Instance selection: a cheap on-demand offering comes before an expensive spot offering', () => {
  const offers = (spotPrice: number, price: number) => [
    { capacityType: 'spot', zone: zone1, price: spotPrice },
    { capacityType: 'on-demand', zone: zone1, price },
  ]
  const plan = harness()
    .only({ types: [type('dear-spot', { offerings: offers(1, 9) }), type('cheap', { offerings: offers(8, 0.5) })] })
    .pod('a')
    .plan()
  expect([plan.claim.instanceTypes, plan.claim.cheapest.capacityType]).toEqual([['cheap', 'dear-spot'], 'on-demand'])
})

describe('Instance selection: minValues', () => {
  const three = [1, 2, 4].map((cpu) => type(`t${cpu}`, { cpu: `${cpu}`, price: cpu }))
  const atLeast = (needs: ReturnType<typeof is>, minValues: number) => ({ ...needs, minValues })
  const of = (requirements: NonNullable<PoolTraits['requirements']>, pod: PodTraits = {}, maxInstanceTypes?: number) =>
    harness()
      .only({ types: three, requirements })
      .pods(2, pod)
      .plan(maxInstanceTypes === undefined ? {} : { maxInstanceTypes })
  const fits = (...all: Parameters<typeof of>) => of(...all).left.length === 0
  const names = is(key.instanceType, 'In', 't1', 't2', 't4')

  test('of listed types: the claim keeps this number, and pods that would leave fewer get another node', () => {
    expect(of([atLeast(names, 2)]).claim.instanceTypes).toEqual(['t1', 't2', 't4'])
    const two = of([atLeast(names, 2)], { cpu: '900m' })
    expect([two.left, two.sizes]).toEqual([[], [2]])
    const split = of([atLeast(names, 3)], { cpu: '500m' })
    expect(split.sizes).toEqual([1, 1])
    expect(fits([atLeast(names, 4)])).toBe(false)
  })
  test('of numbers above or below a bound', () => {
    expect(fits([atLeast(is(key.integer, 'Gt', '1'), 2)])).toBe(true)
    expect(fits([atLeast(is(key.integer, 'Gt', '1'), 3)])).toBe(false)
    expect(fits([atLeast(is(key.integer, 'Lt', '4'), 2)])).toBe(true)
    expect(fits([atLeast(is(key.integer, 'Lt', '4'), 3)])).toBe(false)
  })
  test('the largest of several requirements on a label counts', () => {
    const both = (a: number, b: number) => fits([atLeast(names, a), atLeast(is(key.instanceType, 'NotIn', 't1'), b)])
    expect([both(1, 2), both(2, 1), both(1, 3), both(3, 1)]).toEqual([true, true, false, false])
    const bounds = (a: number, b: number) =>
      fits([atLeast(is(key.integer, 'Gt', '0'), a), atLeast(is(key.integer, 'Lt', '4'), b)])
    expect([bounds(2, 1), bounds(3, 1)]).toEqual([true, false])
  })
  test('is violated if truncating the list of types leaves too few values', () => {
    expect(fits([atLeast(names, 3)], {}, 2)).toBe(false)
    expect(fits([atLeast(names, 2)], {}, 2)).toBe(true)
  })
  test('must be satisfied for every label that has it', () => {
    expect(fits([atLeast(names, 3), atLeast(is(key.zone, 'Exists'), 3)])).toBe(true)
    expect(fits([atLeast(names, 3), atLeast(is(key.zone, 'Exists'), 4)])).toBe(false)
  })
  test('is kept on the claim', () => {
    const claim = of([atLeast(names, 2)]).claim
    expect(asks(claim, key.instanceType)).toBe('In [t1 t2 t4]')
    expect(claim.requirements.find((each) => each.key === key.instanceType)?.minValues).toBe(2)
  })
})

describe('Reservations: reservations', () => {
  const reserved = (id: string, capacity: number) => ({
    capacityType: 'reserved',
    zone: zone1,
    reservation: id,
    capacity,
    price: 0.01,
  })
  const machine = (name: string, ...offerings: ReturnType<typeof reserved>[]) =>
    type(name, { pods: '1', offerings: [...offerings, { zone: zone1, price: 1 }] })
  const nodes = (capacity: number, pods: number, more: ReturnType<typeof machine>[] = []) => {
    const plan = harness()
      .only({ types: [machine('m', reserved('r', capacity)), ...more] })
      .pods(pods)
      .plan()
    return [plan.claims.length, plan.left.length]
  }

  test('a reservation serves only its number of instances, and each claim holds one instance of each that it may use', () => {
    expect([nodes(1, 1), nodes(1, 3), nodes(2, 3), nodes(5, 3)]).toEqual([
      [1, 0],
      [1, 2],
      [2, 1],
      [3, 0],
    ])
    expect(nodes(1, 2, [machine('other', reserved('s', 5))])).toEqual([2, 0])
  })
  test('a held reservation stays held when more pods join the claim', () => {
    const plan = harness()
      .only({ types: [type('m', { offerings: [reserved('r', 1), { zone: zone1, price: 1 }] })] })
      .pods(4, { cpu: '500m' })
      .plan()
    expect([plan.sizes, plan.claim.cheapest.capacityType]).toEqual([[4], 'reserved'])
  })
  test('a reservation that a claim can no longer use is free for another claim', () => {
    const types = [
      type('small', { cpu: '2', offerings: [reserved('s', 1), { zone: zone1, price: 1 }] }),
      type('large', { cpu: '8', offerings: [reserved('l', 1), { zone: zone1, price: 2 }] }),
    ]
    const label = (name: string) => ({ labels: { app: name } })
    const plan = harness()
      .only({ types })
      .pod('a', { cpu: '1900m', ...label('a') })
      .pod('b', { cpu: '1800m', ...label('b') })
      .pod('c', { cpu: '1700m', selector: { [key.instanceType]: 'small' } })
      .plan()
    expect(plan.left).toEqual([])
    expect(plan.claims.map(({ cheapest }) => cheapest.capacityType)).toEqual(['reserved', 'reserved'])
    expect(asks(plan.claimOf('c'), key.reservation)).toBe('In [s]')
    expect(asks(plan.claimOf('a'), key.reservation)).toBe('In [l]')
  })
  test('if a reservation appears in two offerings, the smaller count applies', () => {
    expect(nodes(5, 3, [machine('twin', reserved('r', 1))])).toEqual([1, 2])
  })
  test('no reservation is held if the feature gate is off', () => {
    const plan = harness()
      .only({ types: [machine('m', reserved('r', 1))] })
      .pods(3)
      .plan({ reservedCapacity: false })
    expect([plan.claims.length, plan.left.length]).toEqual([3, 0])
  })
})
