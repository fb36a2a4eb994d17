import type { InstanceType } from '@kerf/engine'
import { nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import type { OfferedTypes } from '../candidates/offered-types.ts'
import { type BudgetSlots, PassCache, type SearchInput } from './pass-cache.ts'

const type: InstanceType = { name: 't', requirements: [], offerings: [], capacity: {}, overhead: {} }
const offer = (types: readonly InstanceType[] = [type]): OfferedTypes =>
  new Map([['a', { pool: nodePool('a'), list: types, byName: new Map() }]])
const findings = () => ({ singleNode: new Map(), isSettling: false })
const SLOTS: BudgetSlots = new Map([
  ['a', 1],
  ['b', 2],
])
const named = (...names: readonly string[]) => names.map((name) => ({ name }))
const look = (change: Partial<SearchInput> = {}): SearchInput => ({
  ...{ now: 1_000, consolidationState: 7, types: offer(), findings: findings(), waitsEnd: Number.POSITIVE_INFINITY },
  ...change,
})

/**
 * Records that the latest search of a disruption method found nothing. Returns whether the method skips its next search after these changes
 * to its inputs.
 */
const rests = (
  now: Partial<SearchInput> = {},
  names = ['n1', 'n2'],
  slots = SLOTS,
  before: Partial<SearchInput> = {},
): boolean => {
  const cache = new PassCache()
  cache.keepNothingFound('multi-node', look(before), named('n1', 'n2'), SLOTS)
  return cache.foundNothing('multi-node', look(now), named(...names), slots)
}

describe('a method that found nothing', () => {
  test('searches if no result is stored', () => {
    expect(new PassCache().foundNothing('multi-node', look(), [], new Map())).toBe(false)
    const cache = new PassCache()
    cache.keepNothingFound('single-node', look(), [], new Map())
    expect(cache.foundNothing('multi-node', look(), [], new Map())).toBe(false)
  })

  test('does not search again if nodes, offers and budgets are the same, in any order', () => {
    expect(rests()).toBe(true)
    expect(rests({}, ['n2', 'n1'])).toBe(true)
    expect(rests({ types: offer([{ ...type }]) })).toBe(true)
    expect(rests({}, ['n1', 'n2'], new Map([...SLOTS].reverse()))).toBe(true)
  })

  test.each<[string, Parameters<typeof rests>]>([
    ['the cluster', [{ consolidationState: 8 }]],
    ['an eligible node', [{}, ['n1', 'n3']]],
    ['the number of eligible nodes', [{}, ['n1', 'n2', 'n3']]],
    ['an offer', [{ types: offer([{ ...type, name: 'u' }]) }]],
    ['the budget of a pool', [{}, ['n1', 'n2'], new Map([...SLOTS, ['b', 3]])]],
    ['the list of pools with a budget', [{}, ['n1', 'n2'], new Map([['a', 1]])]],
  ])('searches again if %s changed', (_what, now) => {
    expect(rests(...now)).toBe(false)
  })

  test('searches again in an unchanged cluster only if budgets or waits changed', () => {
    const same = { findings: findings() }
    const other = { ...same, consolidationState: 8 }
    expect(rests(other, ['n3'], SLOTS, same)).toBe(true)
    expect(rests(other, ['n3'], new Map([['a', 0]]), same)).toBe(false)
  })

  test('searches again if a move that had to wait may be tried', () => {
    expect(rests({ now: 4_999 }, undefined, undefined, { waitsEnd: 5_000 })).toBe(true)
    expect(rests({ now: 5_000 }, undefined, undefined, { waitsEnd: 5_000 })).toBe(false)
  })
})
