import { sampled } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { brokenMeans, brokenPromises, type Row, summarize } from './comparison.ts'
import { judge } from './run-scenarios.ts'
import { scenarios } from './scenario.ts'

/**
 * The improvement pass never makes a plan more expensive (packages/engine/src/decision/schedule.property.test.ts). Therefore only a few
 * scenarios are tested without it.
 */
describe.each([
  ['with the improvement pass', undefined, sampled(scenarios(), 26, 'with the improvement pass')],
  ['without it', 0, sampled(scenarios(), 6, 'without the improvement pass')],
] as const)('the plans of the scenarios %s', (_, planBudget, played) => {
  const rows: Row[] = []
  test.each(played.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
    const row = await judge(scenario, planBudget)
    rows.push(row)
    expect(brokenPromises([row], planBudget !== 0)).toEqual([])
  })
  test.skipIf(played.length < scenarios().length)('over all scenarios', () => {
    expect(rows).toHaveLength(scenarios().length)
    expect(brokenMeans(summarize(rows), planBudget !== 0)).toEqual([])
  })
})

describe('a broken promise', () => {
  const [first] = scenarios()
  if (first === undefined) throw new Error('no scenarios')
  const row: Row = {
    name: 'made-up',
    pods: 5_000,
    nodes: 10,
    cost: 1,
    unschedulable: 0,
    upstream: {
      ...first.expected,
      nodeClaims: Array.from({ length: 10 }, () => ({
        ...(first.expected.nodeClaims[0] as Row['upstream']['nodeClaims'][number]),
        instanceTypes: ['a', 'b'],
      })),
      unschedulable: [],
      hourlyCost: 1,
      observed: { runs: 2, nodeClaims: [10, 10], hourlyCost: [1, 1.2], unschedulable: [0, 0] },
    },
    best: { pods: 5_000, upstreamCost: 1, bestKnownValidCost: 0.8, lowerBound: 0.8, policyIgnored: false },
    problems: [],
    flexibility: 2,
  }
  test('is not reported if all promises hold', () => expect(brokenPromises([{ ...row, cost: 1.2 }], true)).toEqual([]))
  test.each<[string, Partial<Row>, string]>([
    [
      'a broken constraint',
      { problems: [{ code: 'taint', subject: 'claim 1', text: 'is not tolerated' }] },
      'made-up: taint: claim 1 is not tolerated',
    ],
    ['a pod without a place', { unschedulable: 1 }, 'made-up: 1 pods have no place, upstream places all but 0'],
    [
      'a higher cost than upstream was seen to pay',
      { cost: 1.21 },
      'made-up: costs 1.210000, upstream at most 1.200000',
    ],
    ['too many nodes', { nodes: 12 }, 'made-up: 12 nodes, more than a tenth above upstream’s 10'],
    ['fewer types to launch', { flexibility: 1.9 }, 'made-up: 1.90 types a node, upstream 2.00'],
  ])('%s', (_, change, line) => expect(brokenPromises([{ ...row, ...change }], true)).toEqual([line]))
  test('means above their limits', () => {
    expect(brokenMeans(summarize([row]), true)).toHaveLength(3)
    expect(brokenMeans(summarize([{ ...row, cost: 0.8 }]), true)).toEqual([])
    expect(brokenMeans(summarize([{ ...row, cost: 1.01 }]), false)).toHaveLength(1)
  })
})
