import { parseQuantity } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import type { InstanceType } from '../instance-type.ts'
import { cluster, instanceType, replicas } from '../testing/cluster-builders.ts'
import { explainCost } from '../testing/core-labels.ts'

// This file tests decisions with unknown prices: `docs/decisions/0007-unknown-prices.md`.

const unpriced = (type: InstanceType): InstanceType => ({
  ...type,
  offerings: type.offerings.map((offering) => ({ ...offering, price: undefined })),
})
const plan = (types: readonly InstanceType[], count: number, cpu: string, planBudget = 200_000) =>
  cluster()
    .pool('general', { types })
    .set({ planBudget })
    .schedule(replicas(count, 'web', { cpu })).plan
const chosen = (...args: Parameters<typeof plan>) => plan(...args).claims.map(({ cheapest }) => cheapest.instanceType)

const small = instanceType('b-small', 2, '8Gi')
const middle = instanceType('a-middle', 4, '16Gi')
const large = instanceType('c-large', 16, '64Gi')

describe('an offering without a known price', () => {
  test('comes after all offerings with a price, and is launched if nothing else fits', () => {
    const dear = instanceType('d-dear', 8, '32Gi', 1_000)
    expect(chosen([unpriced(small), dear], 1, '1')).toEqual(['d-dear'])
    const { claims, hourlyCost, unpricedClaims } = plan([small, unpriced(large)], 1, '10')
    expect(claims.map(({ cheapest }) => cheapest)).toMatchObject([{ instanceType: 'c-large', price: undefined }])
    expect([hourlyCost, unpricedClaims]).toEqual([0, 1])
  })

  test('is chosen by the smallest instance type that fits, then by name', () => {
    const types = [large, middle, small].map(unpriced)
    expect(chosen(types, 1, '1')).toEqual(['b-small'])
    expect(chosen(types, 1, '3')).toEqual(['a-middle'])
    const twin = { ...unpriced(small), name: 'a-twin' }
    expect(chosen([...types, twin], 1, '1')).toEqual(['a-twin'])
    expect(plan(types, 1, '1').claims[0]?.instanceTypes).toEqual(['b-small', 'a-middle', 'c-large'])
  })

  test('is compared by CPUs before memory, and by devices before CPUs', () => {
    const wide = instanceType('a-wide', 2, '64Gi')
    expect(chosen([wide, middle].map(unpriced), 1, '1')).toEqual(['a-middle'])
    const capacity = { ...small.capacity, 'example.com/gpu': parseQuantity('1') }
    const gpu = { ...small, name: 'a-gpu', capacity }
    expect(chosen([gpu, large].map(unpriced), 1, '1')).toEqual(['c-large'])
  })

  test('is not used by the improvement pass, which does not change a plan with only such offerings', () => {
    const types = [unpriced(small), large]
    const first = plan(types, 40, '900m', 0)
    const better = plan(types, 40, '900m')
    expect(better.claims.every(({ cheapest }) => cheapest.price !== undefined)).toBe(true)
    expect(better.hourlyCost).toBeLessThanOrEqual(first.hourlyCost)
    const all = [small, large].map(unpriced)
    expect(plan(all, 40, '900m').claims).toEqual(plan(all, 40, '900m', 0).claims)
  })

  test('does not count in the lower bound of a cost', () => {
    const { snapshot, options } = cluster().pool('general', { types: [unpriced(large)] })
    const cost = explainCost(snapshot, replicas(3, 'web', { cpu: '1' }), options)
    expect([cost.hourlyCost, cost.lowerBound, cost.unpricedClaims]).toEqual([0, 0, 1])
  })

  test('is not the same as an invalid price, which is ignored', () => {
    const broken = { ...small, offerings: small.offerings.map((offering) => ({ ...offering, price: Number.NaN })) }
    expect(chosen([broken, unpriced(middle)], 1, '1')).toEqual(['a-middle'])
  })
})
