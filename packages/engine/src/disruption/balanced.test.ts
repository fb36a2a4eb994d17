import { describe, expect, test } from 'vitest'
import { balancedScore, describeScore, judgeMove, type PoolTotals, type ScoredSource } from './balanced.ts'

const totals = (price: number, disruption: number): PoolTotals => ({ price, disruption })
const POOL = totals(58.08, 90)
const source = (pool: string, price: number, disruption: number, isBalanced = true): ScoredSource => ({
  pool,
  price,
  disruption,
  isBalanced,
})

// `docs/spec/disruption.md#balanced-scoring`
describe('the score of a move', () => {
  test.each([
    ['an oversized node replaced', 7.26, 4, POOL, 2.81, true],
    ['a spare node deleted', 4.84, 5, POOL, 1.5, true],
    ['a marginal move', 2.42, 9, POOL, 0.417, false],
    ['exactly at the threshold', 2.42, 9, totals(48.4, 90), 0.5, true],
    ['the only node of a pool', 10, 5, totals(10, 5), 1, true],
    ['nothing saved', 0, 5, POOL, 0, false],
    ['dearer than before', -1, 0, POOL, 0, false],
    ['a pool that costs nothing', 5, 1, totals(0, 10), 0, false],
    ['nothing disrupted', 5, 0, POOL, Number.POSITIVE_INFINITY, true],
    ['nothing at all', 0, 0, totals(0, 0), 0, false],
    ['a price that is not a number', Number.NaN, 5, POOL, 0, false],
  ])('%s', (_name, savings, disruption, pool, score, approved) => {
    const found = balancedScore(savings, disruption, pool)
    expect(found.approved).toBe(approved)
    if (Number.isFinite(score)) expect(found.score).toBeCloseTo(score, 2)
    else expect(found.score).toBe(score)
  })

  test('does not depend on the scale of costs and prices', () => {
    const one = balancedScore(2.42, 9, POOL).score
    expect(balancedScore(242, 900, totals(5808, 9000)).score).toBeCloseTo(one, 10)
  })

  test('moves that K = 3 approves are rejected with K = 1 and 2', () => {
    const approved = (k: number) => balancedScore(2.42, 9, POOL, 1 / k).approved
    expect([approved(1), approved(2), approved(3)]).toEqual([false, false, true])
  })

  test('is described as text', () => {
    expect(describeScore(balancedScore(7.26, 4, POOL))).toBe(
      'score 2.81 >= threshold 0.50 (k: 2, savings 12.5%, disruption 4.4%)',
    )
  })
})

describe('a move over several pools', () => {
  test('without nodes is rejected; without Balanced pools it is approved without a score', () => {
    expect(judgeMove([], 5, new Map()).approved).toBe(false)
    const verdict = judgeMove([source('a', 1, 1, false)], 0.1, new Map())
    expect(verdict).toEqual({ approved: true, pools: new Map() })
  })

  test('if totals are missing, the move is rejected', () => {
    expect(judgeMove([source('a', 1, 1)], 1, new Map()).approved).toBe(false)
  })

  test('savings are divided by the prices of the nodes; one rejecting pool rejects the move, and all pools get scores', () => {
    const known = new Map([
      ['a', totals(10, 10)],
      ['b', totals(10, 10)],
    ])
    const verdict = judgeMove([source('a', 3, 1), source('b', 1, 5)], 2, known)
    expect(verdict.pools.get('a')).toMatchObject({ savingsShare: 0.15, approved: true })
    expect(verdict.pools.get('b')).toMatchObject({ savingsShare: 0.05, approved: false })
    expect(verdict.approved).toBe(false)
  })

  test('a pool that is not Balanced takes its share of the savings and cannot reject the move', () => {
    const verdict = judgeMove([source('a', 3, 1), source('b', 1, 50, false)], 2, new Map([['a', totals(10, 10)]]))
    expect(verdict.approved).toBe(true)
    expect([...verdict.pools.keys()]).toEqual(['a'])
    expect(verdict.pools.get('a')?.savingsShare).toBeCloseTo(0.15, 10)
  })
})
