import { expect, test } from 'vitest'
import { mostPlanned } from './most-planned.ts'

test('a large pod on the node of a buffer leads to one more node for all its pieces', () => {
  // Four pieces on the first node, and four on the second node, because one pod took the first.
  expect(mostPlanned({ claims: 2, isFirst: false, wanted: 1, late: 1, buffered: 4 })).toBeGreaterThanOrEqual(8)
  // The same applies to a pod that was planned for a node that could not be launched.
  expect(mostPlanned({ claims: 2, isFirst: false, wanted: 1, late: 0, buffered: 4 })).toBeGreaterThanOrEqual(8)
})

test('a second node for every pod is still too many', () => {
  const pods = { claims: 2, isFirst: false, wanted: 6, late: 0, buffered: 0 }
  expect(mostPlanned(pods)).toBe(8)
  // One pass plans the pieces once.
  expect(mostPlanned({ ...pods, claims: 3, isFirst: true, buffered: 4 })).toBe(10)
  // Without a pod that could have taken their node, the pieces are also planned once.
  expect(mostPlanned({ claims: 2, isFirst: false, wanted: 0, late: 0, buffered: 4 })).toBe(4)
  // The pieces are never planned more often than there are claims.
  expect(mostPlanned({ ...pods, wanted: 30, buffered: 4 })).toBe(48)
})
