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

/** Returns whether a method that found nothing need not search now. */
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

describe('a method that found nothing searches again only if it could find something else', () => {
  test('searches if there is no earlier result', () => {
    expect(new PassCache().foundNothing('multi-node', look(), [], new Map())).toBe(false)
    const cache = new PassCache()
    cache.keepNothingFound('single-node', look(), [], new Map())
    expect(cache.foundNothing('multi-node', look(), [], new Map())).toBe(false)
  })

  test('does not search in the same cluster with the same nodes, offers and budgets, in any order', () => {
    expect(rests()).toBe(true)
    expect(rests({}, ['n2', 'n1'])).toBe(true)
    expect(rests({ types: offer([{ ...type }]) })).toBe(true)
    expect(rests({}, ['n1', 'n2'], new Map([...SLOTS].reverse()))).toBe(true)
  })

  test.each<[string, Parameters<typeof rests>]>([
    ['the cluster', [{ consolidationState: 8 }]],
    ['a node that may go', [{}, ['n1', 'n3']]],
    ['one more that may go', [{}, ['n1', 'n2', 'n3']]],
    ['what is offered', [{ types: offer([{ ...type, name: 'u' }]) }]],
    ['what a budget lets go', [{}, ['n1', 'n2'], new Map([...SLOTS, ['b', 3]])]],
    ['the pools that have a budget', [{}, ['n1', 'n2'], new Map([['a', 1]])]],
  ])('searches if %s is another', (_what, now) => {
    expect(rests(...now)).toBe(false)
  })

  test('with unchanged readings only budgets and waits can make a difference', () => {
    const same = { findings: findings() }
    const other = { ...same, consolidationState: 8 }
    expect(rests(other, ['n3'], SLOTS, same)).toBe(true)
    expect(rests(other, ['n3'], new Map([['a', 0]]), same)).toBe(false)
  })

  test('searches if a move that had to wait may be tried', () => {
    expect(rests({ now: 4_999 }, undefined, undefined, { waitsEnd: 5_000 })).toBe(true)
    expect(rests({ now: 5_000 }, undefined, undefined, { waitsEnd: 5_000 })).toBe(false)
  })
})
