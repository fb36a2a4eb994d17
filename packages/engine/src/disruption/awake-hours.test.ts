import { describe, expect, test } from 'vitest'
import { AwakeHours, coversWeek, hoursProblem, longestAwake, longestSleep, type WeekDay } from './awake-hours.ts'

// docs/spec/policies.md#sleep

const work: readonly WeekDay[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
const all: readonly WeekDay[] = [...work, 'Sat', 'Sun']
const at = (text: string): number => Date.parse(text)

/** Returns the times at which a pool starts or ends its sleep, with a precision of ten minutes. */
const changes = (hours: AwakeHours, from: string, to: string): readonly string[] => {
  const found: string[] = []
  let isAwake = hours.isAwake(at(from))
  for (let time = at(from); time < at(to); time += 600_000) {
    if (hours.isAwake(time) === isAwake) continue
    isAwake = !isAwake
    found.push(`${new Date(time).toISOString().slice(5, 16)} ${isAwake ? 'awake' : 'asleep'}`)
  }
  return found
}

describe('the hours in which a NodePool is awake', () => {
  test('begin and end on the named days, in the time zone', () => {
    const hours = new AwakeHours('Europe/Berlin', [{ days: work, start: '07:00', end: '19:00' }])
    expect(changes(hours, '2026-12-03T00:00Z', '2026-12-08T00:00Z')).toEqual([
      '12-03T06:00 awake',
      '12-03T18:00 asleep',
      '12-04T06:00 awake',
      '12-04T18:00 asleep',
      '12-07T06:00 awake',
      '12-07T18:00 asleep',
    ])
    expect(new Date(hours.nextStart(at('2026-12-04T18:00Z'))).toISOString()).toBe('2026-12-07T06:00:00.000Z')
  })

  test('may pass midnight, and may follow one another without a gap', () => {
    const night = new AwakeHours('Etc/UTC', [{ days: ['Sat'], start: '22:00', end: '06:00' }])
    expect(changes(night, '2026-12-05T00:00Z', '2026-12-07T00:00Z')).toEqual([
      '12-05T22:00 awake',
      '12-06T06:00 asleep',
    ])
    const days = new AwakeHours('Etc/UTC', [{ days: work, start: '00:00', end: '24:00' }])
    expect(changes(days, '2026-12-05T12:00Z', '2026-12-13T00:00Z')).toEqual(['12-07T00:00 awake', '12-12T00:00 asleep'])
  })

  test('move with daylight saving time', () => {
    const hours = new AwakeHours('Europe/Berlin', [{ days: all, start: '07:00', end: '19:00' }])
    expect(changes(hours, '2026-03-28T00:00Z', '2026-03-30T00:00Z')).toEqual([
      '03-28T06:00 awake',
      '03-28T18:00 asleep',
      '03-29T05:00 awake',
      '03-29T17:00 asleep',
    ])
  })

  test('that begin in the hour that is skipped begin after it, and never end before they begin', () => {
    // In Berlin, 02:00 to 03:00 does not exist on 29 March 2026. 03:00 is 01:00 UTC.
    const hours = new AwakeHours('Europe/Berlin', [{ days: all, start: '02:30', end: '04:00' }])
    const [begin, end] = changes(hours, '2026-03-29T00:00Z', '2026-03-29T12:00Z')
    expect(begin).toMatch(/^03-29T01:[0-3]\d awake$/)
    expect(end).toBe('03-29T02:00 asleep')
  })

  test('that begin or end in the hour that is repeated do so once', () => {
    // In Berlin, 02:00 to 03:00 is shown twice on 25 October 2026: at 00:00 and at 01:00 UTC.
    const begins = new AwakeHours('Europe/Berlin', [{ days: all, start: '02:30', end: '10:00' }])
    expect(changes(begins, '2026-10-24T12:00Z', '2026-10-25T12:00Z')).toEqual([
      '10-25T00:30 awake',
      '10-25T09:00 asleep',
    ])
    const ends = new AwakeHours('Europe/Berlin', [{ days: all, start: '20:00', end: '02:30' }])
    expect(changes(ends, '2026-10-24T12:00Z', '2026-10-25T12:00Z')).toEqual(['10-24T18:00 awake', '10-25T00:30 asleep'])
  })
})

test('hours that never end, never begin, or have an unknown time zone are refused', () => {
  expect(coversWeek([{ days: work, start: '00:00', end: '24:00' }])).toBe(false)
  const halves = [
    { days: all, start: '06:00', end: '18:00' },
    { days: all, start: '18:00', end: '06:00' },
  ]
  expect(hoursProblem('Etc/UTC', halves)).toContain('never sleep')
  expect(hoursProblem('Etc/UTC', [{ days: [], start: '06:00', end: '18:00' }])).toContain('never wake')
  expect(hoursProblem('Europe/Berlinn', [{ days: work, start: '06:00', end: '18:00' }])).toContain('time zone database')
  expect(hoursProblem('Europe/Berlin', [{ days: work, start: '06:00', end: '18:00' }])).toBeUndefined()
})

test.each([
  ['Europe/Berlin', [{ days: work, start: '07:00', end: '19:00' }]],
  ['Europe/Berlin', [{ days: all, start: '22:15', end: '02:30' }]],
  [
    'America/St_Johns',
    [
      { days: ['Sun'] as const, start: '01:15', end: '01:45' },
      { days: ['Wed'] as const, start: '20:00', end: '24:00' },
    ],
  ],
])('the last end is the last of the next ends: %s', (timeZone, entries) => {
  const hours = new AwakeHours(timeZone, entries)
  // Both changes of daylight saving time are in these months.
  for (const [from, to] of [
    ['2026-03-01T00:00Z', '2026-04-07T00:00Z'],
    ['2026-10-20T00:00Z', '2026-11-10T00:00Z'],
  ] as const) {
    let fell: number | undefined
    let isAwake = hours.isAwake(at(from))
    for (let time = at(from); time < at(to); time += 900_000) {
      if (isAwake && !hours.isAwake(time)) fell = time
      isAwake = hours.isAwake(time)
      if (!isAwake && fell !== undefined) expect(hours.lastEnd(time), new Date(time).toISOString()).toBe(fell)
    }
    expect(fell).toBeDefined()
  }
})

test('the longest sleep may pass the end of the week', () => {
  const HOUR = 3_600_000
  expect(longestSleep([{ days: work, start: '07:00', end: '19:00' }])).toBe((5 + 48 + 7) * HOUR)
  expect(longestSleep([{ days: all, start: '07:00', end: '06:00' }])).toBe(HOUR)
  expect(longestSleep([{ days: all, start: '00:00', end: '24:00' }])).toBe(0)
})

test('the longest time awake may consist of several entries', () => {
  const HOUR = 3_600_000
  expect(longestAwake([{ days: work, start: '07:00', end: '19:00' }])).toBe(12 * HOUR)
  expect(
    longestAwake([
      { days: ['Sat'], start: '20:00', end: '24:00' },
      { days: ['Sun'], start: '00:00', end: '06:00' },
    ]),
  ).toBe(10 * HOUR)
})
