import { expect, test } from 'vitest'
import { mostPlanned } from './most-planned.ts'

test('a large pod on the node of a buffer leads to one more node for all virtual pods of the buffer', () => {
  // Kerf plans four virtual pods on the first node. It plans them again on the second node, because a real pod took the first.
  expect(mostPlanned({ claims: 2, isFirst: false, wanted: 1, late: 1, buffered: 4 })).toBeGreaterThanOrEqual(8)
  // The same applies if the planned node of a real pod could not be launched.
  expect(mostPlanned({ claims: 2, isFirst: false, wanted: 1, late: 0, buffered: 4 })).toBeGreaterThanOrEqual(8)
})

test('a second node for every pod still exceeds the limit', () => {
  const pods = { claims: 2, isFirst: false, wanted: 6, late: 0, buffered: 0 }
  expect(mostPlanned(pods)).toBe(8)
  // A single scheduling pass plans the virtual pods only once.
  expect(mostPlanned({ ...pods, claims: 3, isFirst: true, buffered: 4 })).toBe(10)
  // If no real pod can have taken their node, the virtual pods are also planned only once.
  expect(mostPlanned({ claims: 2, isFirst: false, wanted: 0, late: 0, buffered: 4 })).toBe(4)
  // Virtual pods are planned at most once per NodeClaim.
  expect(mostPlanned({ ...pods, wanted: 30, buffered: 4 })).toBe(48)
})
