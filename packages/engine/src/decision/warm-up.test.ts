import { expect, test } from 'vitest'
import { warmUp } from './warm-up.ts'

test('every pod of the made-up cluster has a place, some on existing nodes', () => {
  const { claims, placements, unschedulable } = warmUp(1)
  expect(unschedulable).toEqual([])
  expect(claims.length).toBeGreaterThan(5)
  expect(placements.length).toBeGreaterThan(5)
})
