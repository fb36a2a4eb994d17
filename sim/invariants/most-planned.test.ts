import { expect, test } from 'vitest'
import { mostPlanned } from './most-planned.ts'

test('a large pod that takes the node of a buffer leads to one more node for all its pieces', () => {
  // Four pieces on the node that was there first, and four on the second one, since one pod took the first.
  expect(mostPlanned({ claims: 2, isFirst: false, wanted: 1, late: 1, buffered: 4 })).toBeGreaterThanOrEqual(8)
  // The same for a pod that was planned elsewhere, on a node that could not be launched.
  expect(mostPlanned({ claims: 2, isFirst: false, wanted: 1, late: 0, buffered: 4 })).toBeGreaterThanOrEqual(8)
})

test('a second node for every pod is still too many', () => {
  const pods = { claims: 2, isFirst: false, wanted: 6, late: 0, buffered: 0 }
  expect(mostPlanned(pods)).toBe(8)
  // In one pass the pieces are planned once.
  expect(mostPlanned({ ...pods, claims: 3, isFirst: true, buffered: 4 })).toBe(10)
  // Without a pod that could have taken their node the pieces are planned once too.
  expect(mostPlanned({ claims: 2, isFirst: false, wanted: 0, late: 0, buffered: 4 })).toBe(4)
  // And never more often than there are claims.
  expect(mostPlanned({ ...pods, wanted: 30, buffered: 4 })).toBe(48)
})
