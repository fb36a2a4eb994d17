import { describe, expect, test } from 'vitest'
import { type SearchItem, searchMoves } from './search.ts'

const item = (name: string, price: number, pool = 'a'): SearchItem => ({ name, pool, price, disruption: 1 })
const slots = (count: number) => new Map([['a', count]])

interface Answer {
  readonly savings: number
  readonly replaces: boolean
}
const search = async (
  items: readonly SearchItem[],
  answer: (names: readonly string[]) => Answer | undefined,
  free: ReadonlyMap<string, number> = slots(100),
  questions = 10_000,
  bestSingleNode = 0,
) => {
  let asked = 0
  const found = await searchMoves({
    items,
    slots: free,
    bestSingleNode,
    ask: async (set) => {
      asked++
      expect(new Set(set).size).toBe(set.length)
      return answer(set.map(({ name }) => name))
    },
    mayGoOn: () => asked < questions,
  })
  return { names: found?.items.map(({ name }) => name), savings: found?.move.savings, asked }
}
const total = (items: readonly SearchItem[], names: readonly string[]): number =>
  items.filter(({ name }) => names.includes(name)).reduce((sum, { price }) => sum + price, 0)

// `docs/spec/disruption.md#consolidation`
describe('the search for moves', () => {
  const items = Array.from({ length: 300 }, (_, index) => item(`n${index}`, 10 - index / 100))

  test('finds the longest prefix, even beyond the window of a hundred of Karpenter', async () => {
    const fits = 250
    const found = await search(
      items,
      (names) => (names.length <= fits ? { savings: total(items, names), replaces: false } : undefined),
      slots(1_000),
    )
    expect(found.names?.length).toBe(fits)
  })

  test('skips nodes that make a larger set impossible', async () => {
    const stuck = new Set(['n0', 'n3', 'n7'])
    const found = await search(items.slice(0, 12), (names) =>
      names.some((name) => stuck.has(name)) ? undefined : { savings: total(items, names), replaces: false },
    )
    expect(found.names?.length).toBe(9)
  })

  test('replaces a prefix by another set that saves more', async () => {
    const few = [item('a', 5), item('b', 4), item('c', 3)]
    const worth: Readonly<Record<string, number>> = { 'a,b': 1, 'a,c': 2, 'b,c': 4, 'a,b,c': 3 }
    const found = await search(few, (names) => {
      const savings = worth[[...names].sort().join()]
      return savings === undefined ? undefined : { savings, replaces: true }
    })
    expect(found).toMatchObject({ names: ['b', 'c'], savings: 4 })
  })

  test('leaves out nodes that save nothing', async () => {
    const few = [item('a', 5), item('b', 4), item('c', 3)]
    const worth: Readonly<Record<string, number>> = { 'a,b': 2, 'a,b,c': 3, 'a,c': 3, 'b,c': 1 }
    const found = await search(few, (names) => {
      const savings = worth[[...names].sort().join()]
      return savings === undefined ? undefined : { savings, replaces: true }
    })
    expect(found).toMatchObject({ names: ['a', 'c'], savings: 3 })
  })

  test('respects how many nodes of each pool may be disrupted', async () => {
    const mixed = [item('a1', 9, 'a'), item('a2', 8, 'a'), item('b1', 7, 'b'), item('a3', 6, 'a'), item('b2', 5, 'b')]
    const free = new Map([
      ['a', 1],
      ['b', 2],
    ])
    const found = await search(mixed, (names) => ({ savings: total(mixed, names), replaces: false }), free)
    expect(found.names).toEqual(['a1', 'b1', 'b2'])
  })

  test('never returns a single node, and returns nothing if no set works', async () => {
    expect((await search([item('a', 1)], () => ({ savings: 1, replaces: false }))).names).toBeUndefined()
    expect((await search(items.slice(0, 20), () => undefined)).names).toBeUndefined()
  })

  test('returns the best set so far if it must not continue', async () => {
    const found = await search(items, (names) => ({ savings: total(items, names), replaces: false }), slots(1_000), 1)
    expect(found.asked).toBe(1)
    expect(found.names?.length).toBeGreaterThan(1)
  })

  describe('the savings per disruption', () => {
    test('a prefix that needs a new node and saves much less than single nodes is replaced by a shorter one', async () => {
      const many = Array.from({ length: 200 }, (_, index) => item(`n${index}`, 1))
      const answer = (names: readonly string[]): Answer =>
        names.length <= 20 ? { savings: names.length, replaces: false } : { savings: 15, replaces: true }
      expect((await search(many, answer, slots(200), 10_000, 1)).names?.length).toBe(20)
      expect((await search(many, answer, slots(200), 10_000, 0)).savings).toBe(15)
    })

    test('a prefix goes beyond the window only as long as its nodes save about as much', async () => {
      const dear = Array.from({ length: 150 }, (_, index) => item(`dear${index}`, 10))
      const cheap = Array.from({ length: 150 }, (_, index) => item(`cheap${index}`, 5))
      const all = [...dear, ...cheap]
      const answer = (names: readonly string[]): Answer => ({ savings: total(all, names), replaces: false })
      expect((await search(all, answer, slots(1_000))).names?.length).toBe(150)
      const few = [...dear.slice(0, 20), ...cheap.slice(0, 60)]
      expect((await search(few, answer, slots(1_000))).names?.length).toBe(80)
    })

    test('more nodes join a set only if they save about as much as its members', async () => {
      const four = [item('a', 5), item('b', 5), item('stuck', 5), item('poor', 1), item('c', 4.5)]
      const found = await search(four, (names) =>
        names.includes('stuck') ? undefined : { savings: total(four, names), replaces: false },
      )
      expect(found.names).toEqual(['a', 'b', 'c'])
    })

    test('a set of all nodes is accepted, because no node is left that could save more', async () => {
      const few = [item('a', 5), item('b', 4), item('c', 3)]
      const found = await search(
        few,
        (names) => (names.length === 3 ? { savings: 1, replaces: true } : undefined),
        slots(100),
        10_000,
        5,
      )
      expect(found.names).toEqual(['a', 'b', 'c'])
    })

    test('any two nodes may start a set if merging them saves a tenth of their price', async () => {
      const few = [item('a', 5), item('b', 4), item('c', 3), item('d', 2)]
      const merging =
        (savings: number) =>
        (names: readonly string[]): Answer | undefined =>
          [...names].sort().join() === 'b,d' ? { savings, replaces: true } : undefined
      expect((await search(few, merging(0.7))).names).toEqual(['b', 'd'])
      expect((await search(few, merging(0.5))).names).toBeUndefined()
    })

    test('the search for two nodes ends if the work is used up', async () => {
      const found = await search(items, () => undefined, slots(1_000), 500)
      expect(found.asked).toBe(500)
      expect(found.names).toBeUndefined()
    })
  })
})
