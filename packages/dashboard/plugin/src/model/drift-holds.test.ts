import { expect, test } from 'vitest'
import { driftHolds, holdsByClaim, keptHolds } from './drift-holds.ts'

const claim = (name: string, metadata: object = {}, status = 'True') => ({
  metadata: { name, ...metadata },
  status: { conditions: [{ type: 'Drifted', status }] },
})
const blocker = { code: 'pdb.blocks', pod: 'shop/web', budget: 'shop/web' }
const held = { blocker, others: 0, isNamed: true }

test('only drifted NodeClaims that are not being deleted are held', () => {
  const claims = [
    claim('a'),
    claim('gone', { deletionTimestamp: '2026-11-23T00:00:00Z' }),
    claim('as-asked', {}, 'False'),
  ]
  const holds = holdsByClaim(claims, driftHolds({ report: undefined, blockersOf: () => [blocker] }))
  expect([...holds]).toEqual([['a', held]])
  expect(holdsByClaim(claims, driftHolds({ report: undefined, blockersOf: () => [] })).size).toBe(0)
})

test('if Kerf reports, only its blockers count, and a budget alone does not hold a node', () => {
  const row = (nodeClaim: string, code: string, reason = 'Drifted') => ({ nodeClaim, reason, blocker: { code } })
  const awaited = [
    row('a', 'pods.unschedulable'),
    row('b', 'budget.exhausted'),
    row('c', 'pdb.blocks', 'Underutilized'),
  ]
  const report = { awaited: [...awaited, { nodeClaim: 'd', reason: 'Drifted' }] }
  const claims = ['a', 'b', 'c', 'd'].map((name) => claim(name))
  const holds = holdsByClaim(claims, driftHolds({ report, blockersOf: () => [blocker, blocker] }))
  // The objects do not show the blocker that Kerf reports, so they add nothing to it.
  expect([...holds]).toEqual([['a', { blocker: { code: 'pods.unschedulable' }, others: 0 }]])
})

test('keeps the earlier map only while nothing has changed', () => {
  const before = new Map([['a', { blocker, others: 0 }]])
  expect(keptHolds(before, new Map([['a', { blocker: { ...blocker }, others: 0 }]]))).toBe(before)
  expect(keptHolds(before, new Map([['a', { blocker, others: 1 }]]))).not.toBe(before)
  expect(keptHolds(before, new Map())).not.toBe(before)
})
