import { expect, test } from 'vitest'
import { CAPACITY_TYPE, cluster, instanceType, replicas } from '../testing/cluster-builders.ts'
import { explainCost, schedule } from '../testing/core-labels.ts'

// If the plan considers only the prices of instances, two small nodes are cheaper than one large node for these two pods.
const types = [instanceType('small', 1, '4Gi', 0.1), instanceType('large', 2, '8Gi', 0.25)]
const { snapshot } = cluster().pool('general', {
  types,
  requirements: [{ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }],
})
const pods = replicas(2, 'a', { cpu: '800m' })
const planned = (nodeOverheadCost?: number) =>
  schedule(snapshot, pods, { planBudget: 100_000, ...(nodeOverheadCost === undefined ? {} : { nodeOverheadCost }) })

test('the improvement pass includes the cost of every node in addition to its instance', () => {
  const types = (cost?: number) => planned(cost).claims.map(({ cheapest }) => cheapest.instanceType)
  expect(types()).toEqual(['small', 'small'])
  expect(types(0)).toEqual(['small', 'small'])
  // Two small nodes cost $0.20, and a large node costs $0.25. With an overhead of more than $0.05 per node, the large node is cheaper.
  expect(types(0.04)).toEqual(['small', 'small'])
  expect(types(0.06)).toEqual(['large'])
})

test('the cost of a plan and its lower bound include the overhead, but the prices of offerings do not', () => {
  const plan = planned(0.06)
  expect(plan.hourlyCost).toBeCloseTo(0.31, 9)
  expect(plan.claims[0]?.cheapest.price).toBeCloseTo(0.25, 9)
  const without = explainCost(snapshot, pods)
  const cost = explainCost(snapshot, pods, { nodeOverheadCost: 0.06 })
  expect(cost.hourlyCost).toBeCloseTo(0.31, 9)
  expect(cost.lowerBound).toBeGreaterThan(without.lowerBound)
  expect(cost.lowerBound).toBeLessThanOrEqual(cost.hourlyCost)
})

test('the first pass ignores the overhead', () => {
  const first = (nodeOverheadCost: number) =>
    schedule(snapshot, pods, { planBudget: 0, nodeOverheadCost }).claims.map(({ instanceTypes }) => instanceTypes)
  expect(first(1)).toEqual(first(0))
})
