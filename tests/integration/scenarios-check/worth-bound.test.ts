import { propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Kind, Place } from './most-worth.ts'
import { computeBound } from './worth-bound.ts'

const kind = fc.record({
  requests: fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 4 })),
  count: fc.integer({ min: 1, max: 3 }),
})
const spot = fc.record({
  price: fc.integer({ min: 1, max: 9 }),
  free: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 4, max: 9 })),
  refuses: fc.integer({ min: 0, max: 3 }),
})
const problem = fc
  .record({
    kinds: fc.array(kind, { minLength: 1, maxLength: 3 }),
    offers: fc.array(spot, { minLength: 1, maxLength: 3 }),
    standing: fc.array(spot, { maxLength: 1 }),
  })
  .map(({ kinds, offers, standing }) => {
    const kindsAt = (refuses: number) => kinds.map((_, number) => number).filter((number) => number !== refuses)
    const places: Place[] = [
      // A place where every kind of pod may run.
      { price: 9, isOnce: false, free: [9, 9], kinds: kindsAt(-1) },
      ...offers.map(({ price, free, refuses }) => ({ price, isOnce: false, free, kinds: kindsAt(refuses) })),
      ...standing.map(({ free, refuses }) => ({ price: 0, isOnce: true, free, kinds: kindsAt(refuses) })),
    ]
    return { kinds, places }
  })

/** Returns all combinations of pods that a place can hold. */
const contents = (kinds: readonly Kind[], { free, kinds: allowed }: Place): readonly (readonly number[])[] => {
  let found: readonly (readonly number[])[] = [[]]
  for (const [number, { count }] of kinds.entries()) {
    const counts = allowed.includes(number) ? Array.from({ length: count + 1 }, (_, each) => each) : [0]
    found = found.flatMap((before) => counts.map((each) => [...before, each]))
  }
  const uses = (content: readonly number[], resource: number): number =>
    content.reduce((sum, count, number) => sum + count * (kinds[number]?.requests[resource] ?? 0), 0)
  return found.filter((content) => free.every((amount, resource) => uses(content, resource) <= amount))
}

/** Returns the cost of the cheapest plan, found by trying all plans. */
const cheapest = (kinds: readonly Kind[], places: readonly Place[]): number => {
  const costs = new Map<string, number>()
  const after = (left: readonly number[], content: readonly number[]): readonly number[] =>
    left.map((count, number) => Math.max(0, count - (content[number] ?? 0)))
  const offers = places.flatMap((place) =>
    place.isOnce ? [] : contents(kinds, place).map((content) => ({ place, content })),
  )
  const costOf = (left: readonly number[]): number => {
    if (left.every((count) => count === 0)) return 0
    const key = left.join()
    const known = costs.get(key)
    if (known !== undefined) return known
    let least = Number.POSITIVE_INFINITY
    for (const { place, content } of offers) {
      const next = after(left, content)
      if (next.join() !== key) least = Math.min(least, place.price + costOf(next))
    }
    costs.set(key, least)
    return least
  }
  const [standing] = places.filter(({ isOnce }) => isOnce)
  const all = kinds.map(({ count }) => count)
  const first = standing === undefined ? [all] : contents(kinds, standing).map((content) => after(all, content))
  return Math.min(...first.map(costOf))
}

test('no plan costs less than the bound, and most cost only slightly more', () => {
  const ratios: number[] = []
  fc.assert(
    fc.property(problem, ({ kinds, places }) => {
      const bound = computeBound(kinds, places)
      const least = cheapest(kinds, places)
      expect(bound).toBeLessThanOrEqual(least + 1e-6)
      if (least > 0) ratios.push(bound / least)
    }),
    { numRuns: propertyRuns(300) },
  )
  expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeGreaterThan(0.85)
})

test('a pod is not split across nodes', () => {
  const kinds = [{ requests: [3], count: 4 }]
  // The node has capacity for four thirds of a pod.
  expect(computeBound(kinds, [{ price: 1, isOnce: false, free: [4], kinds: [0] }])).toBeCloseTo(4, 6)
})

test('free capacity of an existing node costs nothing, but counts only once', () => {
  const kinds = [{ requests: [1], count: 5 }]
  const offer = { price: 2, isOnce: false, free: [1], kinds: [0] }
  expect(computeBound(kinds, [offer, { price: 0, isOnce: true, free: [3], kinds: [0] }])).toBeCloseTo(4, 6)
})
