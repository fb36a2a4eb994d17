import { expect, test } from 'vitest'
import type { DecisionRow } from './decisions.ts'
import { warningsSince } from './recent-warnings.ts'

const row = (reason: string, time: number, more: Partial<DecisionRow> = {}): DecisionRow => ({
  ...{ id: `${reason}${time}`, about: 'node', type: 'Warning', reason, kind: 'NodeClaim', namespace: '', name: 'a' },
  ...{ from: 'karpenter', message: `${reason}!`, first: time, time, count: 1, mentions: [] },
  ...more,
})
const pool = (name: string, status: string) => ({
  metadata: { name },
  status: { conditions: [{ type: 'Ready', status, reason: 'NodeClassNotReady', message: 'the class is not there' }] },
})

test('lists pools that are not ready, and then the warnings of the last hour, grouped with their counts', () => {
  const decisions = [
    row('InsufficientCapacityError', 900, { count: 3 }),
    row('InsufficientCapacityError', 800, { name: 'b' }),
    row('FailedScheduling', 950, { kind: 'Pod' }),
    row('DisruptionLaunching', 950, { type: 'Normal' }),
    row('FailedDraining', 100),
  ]
  const warnings = warningsSince(decisions, [pool('fine', 'True'), pool('broken', 'False')], 500)
  expect(warnings.map(({ what, name, count, time, message }) => [what, name, count, time, message])).toEqual([
    ['NotReady', 'broken', 1, undefined, 'the class is not there'],
    ['InsufficientCapacityError', 'a', 4, 900, 'InsufficientCapacityError!'],
  ])
})
