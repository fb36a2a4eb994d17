import { expect, test } from 'vitest'
import { CAPACITY_TYPE, cluster, instanceType, replicas } from '../testing/cluster-builders.ts'
import { schedule } from '../testing/core-labels.ts'

// Four pods of 0.9 CPUs fit four nodes of one CPU, or one node of four CPUs for $0.4.
test.each([
  ['as dear', 0.1, 1],
  ['0.4 % cheaper', 0.0996, 1],
  ['1 % cheaper', 0.099, 4],
])('if four nodes are %s, the plan has the fewest nodes that cost nearly the same', (_, price, nodes) => {
  const { snapshot } = cluster().pool('general', {
    types: [instanceType('small', 1, '4Gi', price), instanceType('large', 4, '16Gi', 0.4)],
    requirements: [{ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }],
  })
  expect(schedule(snapshot, replicas(4, 'a', { cpu: '900m' })).claims).toHaveLength(nodes)
})
