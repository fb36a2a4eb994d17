import { coreVocabulary } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { Run } from '../packing/packing-run.ts'
import { inQueueOrder } from '../packing/queue.ts'
import { buildProblem } from '../problem/problem.ts'
import { CAPACITY_TYPE, cluster, instanceType, replicas } from '../testing/cluster-builders.ts'
import { type Bin, binsCost } from './bin.ts'
import { BinLimits } from './bin-limits.ts'
import { EVERY_COLUMN, generateColumns } from './columns.ts'
import { buildModel } from './model.ts'
import { Packer } from './packer.ts'
import { Prices } from './prices.ts'
import { type SearchRules, search } from './search.ts'

/** Runs a search with a surcharge of $10 per node. At the start, eight pods are on eight small nodes. */
const searched = (largePrice: number, rules: Partial<SearchRules>): readonly Bin[] => {
  const { snapshot } = cluster().pool('general', {
    types: [
      instanceType('small', 1, '4Gi', 0.1),
      instanceType('middle', 2, '8Gi', 0.2),
      instanceType('large', 4, '16Gi', largePrice),
    ],
    requirements: [{ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }],
  })
  const problem = buildProblem(snapshot, replicas(8, 'a', { cpu: '900m' }), { vocabulary: coreVocabulary })
  const run = new Run(problem)
  run.solve(inQueueOrder(problem.table, problem.pods))
  const model = buildModel(run)
  if (model === undefined) throw new Error('there is nothing to improve')
  const columns = generateColumns(model, EVERY_COLUMN)
  const packer = new Packer(model, new Prices(model), columns, 10)
  const worths = packer.worths()
  const small = columns.filter((column) => column.price === 0.1)
  const start = packer.cover(Int32Array.of(8), worths, ['worth'], Number.POSITIVE_INFINITY, [0], small) ?? []
  expect(start).toHaveLength(8)
  return search(packer, start, [worths], {
    ...{ budget: 5_000, fruitlessWork: 5_000, mostNodes: 8, limits: new BinLimits(model).use(start) },
    empty: () => undefined,
    ...rules,
  })
}

const sortedPrices = (bins: readonly Bin[]): readonly number[] => bins.map(({ price }) => price).sort()

describe.each([
  ['those with the most waste', {}],
  ['the cheapest of some', { cheapestOf: 8 }],
])('taking nodes apart (%s) results in fewer nodes', (_, choice) => {
  test('if the plan then costs no more', () => {
    expect(sortedPrices(searched(0.4, { ...choice, mostCost: 0.8 }))).toEqual([0.4, 0.4])
  })

  test('but only as long as the plan does not exceed the maximum cost', () => {
    const bins = searched(0.45, { ...choice, mostCost: 0.86 })
    expect(binsCost(bins, 0)).toBeLessThanOrEqual(0.86)
    expect(sortedPrices(bins)).toEqual([0.2, 0.2, 0.45])
    expect(sortedPrices(searched(0.45, choice))).toEqual([0.45, 0.45])
  })

  test('but changes nothing if no work is left', () => {
    expect(searched(0.4, { ...choice, budget: 0 })).toHaveLength(8)
  })
})
