import { expect, test } from 'vitest'
import { StateNode } from '../../state/state-node.ts'
import type { Assessment } from '../candidates/assessment.ts'
import { PassCache } from './pass-cache.ts'

const MINUTE = 60_000
const NEVER = Number.POSITIVE_INFINITY
const types = new Map()
const pass = (now: number, assessments: readonly Assessment[], waitsEnd = NEVER) => ({ now, assessments, waitsEnd })
const node = (...blockers: Assessment['blockers']): Assessment => ({ state: new StateNode('n'), blockers })

test.each([
  ['for at most five minutes', NEVER, 6],
  ['until the next full minute, if the result may change at any moment', 0, 2],
  ['until the minute in which the result may change', 3 * MINUTE + 1, 4],
  ['for at most five minutes, if the result may change later', 20 * MINUTE, 6],
])('a pass that found nothing is not repeated (%s)', (_name, nextCheck, minute) => {
  const cache = new PassCache()
  expect(cache.isIdle({ version: 1, types }, 0)).toBe(false)
  cache.keepIdle({ version: 1, types }, pass(MINUTE + 10_000, [node()]), nextCheck)
  expect(cache.isIdle({ version: 1, types }, minute * MINUTE - 1)).toBe(true)
  expect(cache.isIdle({ version: 1, types }, minute * MINUTE)).toBe(false)
})

test('a pass that found nothing is repeated when the cluster or the instance types change', () => {
  const cache = new PassCache()
  cache.keepIdle({ version: 1, types }, pass(0, []), NEVER)
  expect(cache.isIdle({ version: 2, types }, 1)).toBe(false)
  expect(cache.isIdle({ version: 1, types: new Map() }, 1)).toBe(false)
})

test('a pass that found nothing is repeated when the protection of a node ends', () => {
  const cache = new PassCache()
  const protectedNode = node({ code: 'node.nominated', until: 5_000 }, { code: 'node.do-not-disrupt' })
  cache.keepIdle({ version: 1, types }, pass(0, [node(), protectedNode]), NEVER)
  expect(cache.isIdle({ version: 1, types }, 4_999)).toBe(true)
  expect(cache.isIdle({ version: 1, types }, 5_000)).toBe(false)
})

test('a pass that found nothing is repeated when the wait of an undone move ends, without rounding to the minute', () => {
  const cache = new PassCache()
  cache.keepIdle({ version: 1, types }, pass(0, [node()], MINUTE + 5_000), NEVER)
  expect(cache.isIdle({ version: 1, types }, MINUTE + 4_999)).toBe(true)
  expect(cache.isIdle({ version: 1, types }, MINUTE + 5_000)).toBe(false)
})
