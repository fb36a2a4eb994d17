import { expect, test } from 'vitest'
import type { ScheduleOptions } from '../schedule-options.ts'
import { CAPACITY_TYPE, type Cluster, cluster, instanceType, pod, replicas } from '../testing/cluster-builders.ts'
import { explainCost } from '../testing/core-labels.ts'

const of = (capacityType: string) => ({ key: CAPACITY_TYPE, operator: 'In' as const, values: [capacityType] })
const onDemand = of('on-demand')

const poolRules = (pools: Cluster, pods: ReturnType<typeof replicas>, options: Partial<ScheduleOptions> = {}) =>
  explainCost(pools.snapshot, pods, { planBudget: 100_000, ...options }).rules.map(
    ({ rule, nodePool, price, nodes, nodesWithout }) => [rule, nodePool, Number(price.toFixed(4)), nodes, nodesWithout],
  )
const small = (price: number) => instanceType('small', 1, '4Gi', price)
const large = (price: number) => instanceType('large', 2, '8Gi', price)

test('a limit sends pods to a more expensive NodePool: its cost and the NodePool of the limit', () => {
  const pods = replicas(4, 'web', { cpu: '800m' })
  const pools = (limits?: Readonly<Record<string, string>>): Cluster =>
    cluster()
      .pool('cheap', { types: [small(0.1)], requirements: [onDemand], weight: 10, ...(limits && { limits }) })
      .pool('dear', { types: [small(0.2)], requirements: [onDemand], limits: { cpu: '100' } })
  expect(poolRules(pools({ cpu: '2' }), pods)).toEqual([['limits', 'cheap', 0.2, 4, 4]])
  expect(poolRules(pools(), pods)).toEqual([])
  const giant = pod('giant', { cpu: '80' })
  expect(poolRules(pools({ cpu: '2' }), [...pods, giant])).toEqual([['limits', 'cheap', 0.2, 4, 4]])
})

test('pods that are not placed because of a limit do not count in the limit’s cost', () => {
  const pools = cluster().pool('only', { types: [small(0.1)], requirements: [onDemand], limits: { cpu: '2' } })
  expect(poolRules(pools, replicas(4, 'web', { cpu: '800m' }))).toEqual([])
})

test('minValues separates pods that would fit together on the only large type', () => {
  const types = [instanceType('a', 2, '8Gi', 0.11), instanceType('b', 1, '4Gi', 0.1), instanceType('c', 1, '4Gi', 0.12)]
  const key = 'node.kubernetes.io/instance-type'
  const choice = { key, operator: 'In' as const, values: ['a', 'b', 'c'], minValues: 3 }
  const pools = cluster().pool('flexible', { types, requirements: [onDemand, choice] })
  expect(poolRules(pools, replicas(4, 'web', { cpu: '450m' }))).toEqual([['min-values', 'flexible', 0.09, 2, 1]])
  const { minValues: _, ...free } = choice
  const without = cluster().pool('flexible', { types, requirements: [onDemand, free] })
  expect(poolRules(without, replicas(4, 'web', { cpu: '450m' }))).toEqual([])
})

test('a spot node keeps its choice of types, so the single large type of another NodePool does not take all pods', () => {
  const many = [1, 2, 3, 4, 5].map((number) => instanceType(`s${number}`, 1, '4Gi', 0.5))
  const pools = (capacityType: string): Cluster =>
    cluster()
      .pool('z', { types: many, requirements: [of(capacityType)] })
      .pool('b', { types: [instanceType('lone', 4, '16Gi', 1.25)], requirements: [of(capacityType)] })
  const pods = replicas(4, 'web', { cpu: '800m' })
  // Spot prices are 40 % of on-demand prices. With the rule, the plan has four spot nodes at $0.2 each. Without the rule, the plan has one
  // node at $0.5.
  expect(poolRules(pools('spot'), pods)).toEqual([['spot-choice', 'z', 0.3, 4, 1]])
  expect(poolRules(pools('on-demand'), pods)).toEqual([])
})

test('the rule that prefers fewer nodes at nearly the same cost costs the difference', () => {
  const pods = replicas(2, 'web', { cpu: '800m' })
  const pools = (price: number): Cluster =>
    cluster().pool('any', { types: [small(0.1), large(price)], requirements: [onDemand] })
  expect(poolRules(pools(0.2009), pods)).toEqual([['fewer-nodes', undefined, 0.0009, 1, 2]])
  expect(poolRules(pools(0.1999), pods)).toEqual([])
})

test('node overhead: the overhead itself, and the more expensive instance', () => {
  const pods = replicas(2, 'web', { cpu: '800m' })
  const pools = cluster().pool('any', { types: [small(0.1), large(0.25)], requirements: [onDemand] })
  expect(poolRules(pools, pods, { nodeOverheadCost: 0.06 })).toEqual([['node-overhead', undefined, 0.11, 1, 2]])
  expect(poolRules(pools, pods)).toEqual([])
})

test('several rules, the most expensive first', () => {
  const pods = replicas(4, 'web', { cpu: '800m' })
  const pools = cluster()
    .pool('cheap', { types: [small(0.1)], requirements: [onDemand], weight: 10, limits: { cpu: '2' } })
    .pool('dear', { types: [small(0.2)], requirements: [onDemand] })
  expect(poolRules(pools, pods, { nodeOverheadCost: 0.01 })).toEqual([
    ['limits', 'cheap', 0.2, 4, 4],
    ['node-overhead', undefined, 0.04, 4, 4],
  ])
})
