import { expect, test } from 'vitest'
import { formatTime, parsePastTime } from './timestamp.ts'

const now = Date.parse('2026-03-01T00:00:00Z')

// docs/spec/time.md: the clocks of a cluster's machines can differ by seconds.
test.each([
  ['in the past', -60_000],
  ['written by a clock that is ten seconds ahead', 10_000],
])('a time %s is accepted', (_case, ahead) => expect(parsePastTime(formatTime(now + ahead), now)).toBe(now + ahead))

test('a time that is more than ten seconds ahead is treated as absent', () =>
  expect(parsePastTime(formatTime(now + 11_000), now)).toBeUndefined())
