import { expect, test } from 'vitest'
import type { DecisionRow } from './decisions.ts'
import { warningsSince } from './recent-warnings.ts'

const row = (reason: string, time: number, more: Partial<DecisionRow> = {}): DecisionRow => ({
  ...{ id: `${reason}${time}`, about: 'node', type: 'Warning', reason, kind: 'NodeClaim', namespace: '', name: 'a' },
  ...{ from: 'karpenter', message: `${reason}!`, first: time, time, count: 1, mentions: [], subject: more.name ?? 'a' },
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
  expect(warnings.map(({ otherObjects, others }) => [otherObjects, others])).toEqual([
    [0, 0],
    [1, 0],
  ])
})

test('a Node and its NodeClaim are one object, and messages with another reason are counted', () => {
  const [warning, ...more] = warningsSince(
    [
      row('FailedTermination', 900, { kind: 'Node', name: 'n1', subject: 'Node/n1', message: 'the disk is attached' }),
      row('FailedTermination', 880, { name: 'c1', subject: 'Node/n1', message: 'access is denied' }),
      row('FailedTermination', 870, { name: 'c2', subject: 'Node/n2', message: 'access is denied' }),
    ],
    [],
    500,
  )
  expect(more).toEqual([])
  expect(warning).toMatchObject({ name: 'n1', otherObjects: 1, message: 'access is denied', others: 1 })
})
