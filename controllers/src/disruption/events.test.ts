import type { RecordedEvent } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { nodePool } from '../testing/objects.ts'
import { DisruptionEvents } from './events.ts'

test('one mistake in place of another is news, the same again is not', () => {
  const published: RecordedEvent[] = []
  const events = new DisruptionEvents({ publish: (event) => published.push(event) })
  const pool = nodePool('general')
  for (const error of ['budget 0: unknown time zone "Mars"', 'budget 0: no cron', 'budget 0: no cron', undefined])
    events.budgetBlocked(pool, 'Empty', error)
  const keys = published.map(({ reason, dedupeValues = [] }) => [reason, ...dedupeValues].join())
  expect(keys[2]).toBe(keys[1])
  expect(new Set(keys).size).toBe(3)
})
