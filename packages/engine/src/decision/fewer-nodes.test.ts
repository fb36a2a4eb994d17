import { expect, test } from 'vitest'
import { CAPACITY_TYPE, cluster, instanceType, replicas } from '../testing/cluster-builders.ts'
import { explainCost, schedule } from '../testing/core-labels.ts'

const fourSmallOrOneLarge = (price: number) =>
  cluster().pool('general', {
    types: [instanceType('small', 1, '4Gi', price), instanceType('large', 4, '16Gi', 0.4)],
    requirements: [{ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }],
  }).snapshot
const pods = replicas(4, 'a', { cpu: '900m' })

// Four pods of 0.9 CPUs fit four nodes of one CPU, or one node of four CPUs for $0.4.
test.each([
  ['as dear', 0.1, 1],
  ['0.4 % cheaper', 0.0996, 1],
  ['1 % cheaper', 0.099, 4],
])('if four nodes are %s, the plan has the fewest nodes that cost nearly the same', (_, price, nodes) => {
  expect(schedule(fourSmallOrOneLarge(price), pods).claims).toHaveLength(nodes)
})

test.each([
  [0, 0.1, 1],
  [0, 0.0996, 4],
  [0.01, 0.099, 4],
  [0.011, 0.099, 1],
])(
  'with a share of %s, the one node replaces four nodes of $%s only if it costs at most that much more',
  (share, price, nodes) => {
    expect(schedule(fourSmallOrOneLarge(price), pods, { fewerNodesCostShare: share }).claims).toHaveLength(nodes)
  },
)

test('the explanation of the cost shows the plan for each share', () => {
  const tradeOffs = (share?: number) =>
    explainCost(fourSmallOrOneLarge(0.0985), pods, share === undefined ? {} : { fewerNodesCostShare: share })
      .nodeTradeOffs
  const shown = [
    [0, 4, 0.394],
    [0.0025, 4, 0.394],
    [0.005, 4, 0.394],
    [0.01, 4, 0.394],
    [0.02, 1, 0.4],
  ]
  const rows = (list: ReturnType<typeof tradeOffs>) =>
    list.map(({ share, nodes, hourlyCost }) => [share, nodes, Number(hourlyCost.toFixed(6))])
  expect(rows(tradeOffs())).toEqual(shown)
  expect(tradeOffs().filter(({ isOwn }) => isOwn)).toMatchObject([{ share: 0.005 }])
  expect(rows(tradeOffs(0.1))).toEqual([...shown, [0.1, 1, 0.4]])
  expect(explainCost(fourSmallOrOneLarge(0.0985), pods, { planBudget: 0 }).nodeTradeOffs).toEqual([])
})
