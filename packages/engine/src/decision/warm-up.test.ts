import { expect, test } from 'vitest'
import { warmUp } from './warm-up.ts'

test('every pod of the generated cluster is placed, some of them on existing nodes', () => {
  const { claims, placements, unschedulable } = warmUp(1)
  expect(unschedulable).toEqual([])
  expect(claims.length).toBeGreaterThan(5)
  expect(placements.length).toBeGreaterThan(5)
})
