import { expect, test } from 'vitest'
import { localTimeText, rangeAt, readLocalTime, timeTick } from './time-range.ts'

const HOUR = 3_600_000
const format = { locale: 'en-GB', timeZone: 'UTC' }
const noon = Date.parse('2026-11-30T12:05:00Z')

test.each([
  ['an hour', HOUR, '12:05'],
  ['a day', 24 * HOUR, '12:05'],
  ['more than a day', 24 * HOUR + 1, '30 Nov, 12:05'],
  ['a week', 7 * 24 * HOUR, '30 Nov, 12:05'],
  ['a month', 30 * 24 * HOUR, '30 Nov'],
] as const)('on an axis of %s, a tick says when it is', (_, length, text) => {
  expect(timeTick(noon, length, format)).toBe(text)
})

test('a range ends now, unless the user has fixed it', () => {
  expect(rangeAt({ kind: 'last', range: '30m' }, 10 * HOUR)).toEqual({ from: 9.5 * HOUR, until: 10 * HOUR })
  expect(rangeAt({ kind: 'between', from: 1, until: 2 }, 10 * HOUR)).toEqual({ from: 1, until: 2 })
})

test('a local time is parsed as it is shown, and an incomplete time is rejected', () => {
  expect(localTimeText(readLocalTime('2026-03-09T07:08') ?? 0)).toBe('2026-03-09T07:08')
  expect(readLocalTime('2026-03-09T07:08')).toBe(new Date(2026, 2, 9, 7, 8).getTime())
  expect(['', '2026-03-09', 'x'].map(readLocalTime)).toEqual([undefined, undefined, undefined])
})
