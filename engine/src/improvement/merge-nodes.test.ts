import { expect, test } from 'vitest'
import { Run } from '../packing/packing-run.ts'
import { inQueueOrder } from '../packing/queue.ts'
import { problemOf } from '../problem/problem.ts'
import { CAPACITY_TYPE, cluster, instanceType, replicas } from '../testing/cluster-builders.ts'
import type { Bin } from './bin.ts'
import { BinLimits } from './bin-limits.ts'
import { columnsOf, EVERY_COLUMN } from './columns.ts'
import { mergeNodes } from './merge-nodes.ts'
import { modelOf } from './model.ts'
import { Packer } from './packer.ts'
import { Prices } from './prices.ts'

/** Eight pods on small nodes, one each, and what becomes of these where a node for four pods costs as much as said. */
const merged = (price: number, budget = 1_000): readonly Bin[] => {
  const { snapshot } = cluster().pool('general', {
    types: [
      instanceType('small', 1, '4Gi', 0.1),
      instanceType('middle', 2, '8Gi', 0.2),
      instanceType('large', 4, '16Gi', price),
    ],
    requirements: [{ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }],
  })
  const problem = problemOf(snapshot, replicas(8, 'a', { cpu: '900m' }), {})
  const run = new Run(problem)
  run.solve(inQueueOrder(problem.table, problem.pods))
  const model = modelOf(run)
  if (model === undefined) throw new Error('there is nothing to improve')
  const columns = columnsOf(model, EVERY_COLUMN)
  const packer = new Packer(model, new Prices(model), columns, 10)
  const worths = packer.worths()
  const small = columns.filter((column) => column.price === 0.1)
  const start = packer.cover(Int32Array.of(8), worths, ['worth'], Number.POSITIVE_INFINITY, [0], small) ?? []
  expect(start).toHaveLength(8)
  return mergeNodes(packer, start, worths, { limits: new BinLimits(model).use(start), budget })
}

const pricesOf = (bins: readonly Bin[]): readonly number[] => bins.map(({ price }) => price)

test('nodes become one, and that one with another, where it costs no more', () => {
  const bins = merged(0.4)
  expect(pricesOf(bins)).toEqual([0.4, 0.4])
  expect(bins.map(({ counts }) => counts)).toEqual([[4], [4]])
})

test('a node that costs more than the two stays out', () => {
  expect(pricesOf(merged(0.41))).toEqual([0.2, 0.2, 0.2, 0.2])
})

test('without work left the plan stays as it is', () => {
  expect(pricesOf(merged(0.4, 0))).toHaveLength(8)
})
