import type { DisruptionBudget, NodePool } from '@kerf/apis'
import { nodePool } from '@kerf/testing'
import { Cron } from 'croner'
import { describe, expect, test, vi } from 'vitest'
import { budgetAllowance, closedBudgets, opensAt, UNLIMITED } from './budgets.ts'
import { CronWindow, canonicalSchedule } from './cron-window.ts'
import { disruptionReasons } from './disruption-reason.ts'

const poolWith = (...budgets: readonly DisruptionBudget[]): NodePool =>
  nodePool('general', {
    templateSpec: { nodeClassRef: { group: 'g', kind: 'K', name: 'n' } },
    disruption: { budgets: [...budgets] },
  })
const at = (text: string): number => Date.parse(text)
const HOUR = 3_600_000
const JUNE = at('2026-06-10T12:00:30Z')
const allowed = (budgets: readonly DisruptionBudget[], reason = 'Empty' as const, total = 10, now = JUNE) =>
  budgetAllowance(poolWith(...budgets), reason, total, now).allowed

// `docs/spec/disruption.md#budgets`
describe('what budgets allow', () => {
  test('0 for all reasons means 0 for each reason', () => {
    for (const reason of disruptionReasons) {
      expect(budgetAllowance(poolWith({ nodes: '0' }), reason, 10, JUNE)).toMatchObject({ allowed: 0, decidedBy: 0 })
    }
  })

  test('without an active budget there is no limit', () => {
    expect(allowed([{ nodes: '0', schedule: '@yearly', duration: '1h' }])).toBe(UNLIMITED)
    expect(allowed([])).toBe(UNLIMITED)
    expect(allowed([{ nodes: '0', reasons: ['Drifted'] }])).toBe(UNLIMITED)
  })

  test('absent reasons mean all reasons, and an empty list means none', () => {
    expect(allowed([{ nodes: '3' }])).toBe(3)
    expect(allowed([{ nodes: '3', reasons: [] }])).toBe(UNLIMITED)
  })

  test('the smallest applicable budget of each reason counts', () => {
    const pool = poolWith(
      { nodes: '10' },
      { nodes: '4', reasons: ['Empty'] },
      { nodes: '5', reasons: ['Drifted', 'Empty'] },
      { nodes: '1', reasons: ['Drifted'], schedule: '@yearly', duration: '1h' },
    )
    const of = (reason: (typeof disruptionReasons)[number]) => budgetAllowance(pool, reason, 100, JUNE).allowed
    expect([of('Empty'), of('Drifted'), of('Underutilized')]).toEqual([4, 5, 10])
  })

  test('percentages are rounded up', () => {
    expect(allowed([{ nodes: '10%' }], 'Empty', 3)).toBe(1)
    expect(allowed([{ nodes: '10%' }], 'Empty', 0)).toBe(0)
    expect(allowed([{ nodes: '10%' }], 'Empty', 11)).toBe(2)
    expect(allowed([{ nodes: '100%' }], 'Empty', 7)).toBe(7)
    expect(allowed([{ nodes: '0%' }], 'Empty', 7)).toBe(0)
  })

  test('without budgets, the default is a single budget of 10%', () => {
    const { disruption: _, ...spec } = poolWith().spec
    expect(budgetAllowance({ ...poolWith(), spec }, 'Empty', 25, JUNE).allowed).toBe(3)
  })

  test.each<[string, DisruptionBudget]>([
    ['a cron that cannot be read', { nodes: '5', schedule: '* * *', duration: '1h', reasons: ['Drifted'] }],
    ['an invalid value of nodes', { nodes: 'many' }],
    ['a negative amount', { nodes: '-1' }],
    ['a schedule without a duration', { nodes: '5', schedule: '@daily' }],
    ['a duration without a schedule', { nodes: '5', duration: '1h' }],
  ])('%s allows no disruption for any reason, and the error says why', (_name, budget) => {
    for (const reason of disruptionReasons) {
      const allowance = budgetAllowance(poolWith({ nodes: '100%' }, budget), reason, 10, JUNE)
      expect(allowance.allowed).toBe(0)
      expect(allowance.error).toMatch(/^budget 1: /)
    }
  })
})

describe('windows', () => {
  test('open when the schedule matches, and close after the duration', () => {
    const window = new CronWindow('0 10 * * *', HOUR)
    expect(window.isActive(at('2026-06-10T09:59:59Z'))).toBe(false)
    expect(window.isActive(at('2026-06-10T10:00:00Z'))).toBe(true)
    expect(window.isActive(at('2026-06-10T10:59:59Z'))).toBe(true)
    expect(window.isActive(at('2026-06-10T11:00:00Z'))).toBe(false)
    expect(window.endsAt(at('2026-06-10T10:30:00Z'))).toBe(at('2026-06-10T11:00:00Z'))
    expect(window.endsAt(at('2026-06-10T11:00:00Z'))).toBeUndefined()
  })

  test('are extended if the schedule matches again before they close', () => {
    const window = new CronWindow('0 10,11 * * *', 2 * HOUR)
    expect(window.endsAt(at('2026-06-10T10:30:00Z'))).toBe(at('2026-06-10T13:00:00Z'))
    const always = new CronWindow('* * * * *', HOUR)
    expect(always.isActive(JUNE)).toBe(true)
    expect(always.endsAt(JUNE)).toBeUndefined()
  })

  test('yearly is inactive in June and active on New Year’s Day', () => {
    const window = new CronWindow('@yearly', HOUR)
    expect(window.isActive(JUNE)).toBe(false)
    expect(window.isActive(at('2026-01-01T00:30:00Z'))).toBe(true)
  })

  test('a schedule that never matches is always active', () => {
    expect(new CronWindow('0 0 30 2 *', HOUR).isActive(JUNE)).toBe(true)
  })

  test('if both day of month and day of week are restricted, matching one of them is enough', () => {
    const window = new CronWindow('0 0 1 * mon', HOUR)
    expect(window.isActive(at('2026-06-01T00:00:00Z'))).toBe(true)
    expect(window.isActive(at('2026-06-08T00:00:00Z'))).toBe(true)
    expect(window.isActive(at('2026-07-01T00:00:00Z'))).toBe(true)
    expect(window.isActive(at('2026-07-02T00:00:00Z'))).toBe(false)
    const steps = new CronWindow('0 0 */2 * mon', HOUR)
    expect(steps.isActive(at('2026-06-02T00:00:00Z'))).toBe(false)
    expect(steps.isActive(at('2026-06-03T00:00:00Z'))).toBe(true)
    expect(steps.isActive(at('2026-06-08T00:00:00Z'))).toBe(true)
  })

  test('weekdays count in UTC', () => {
    const window = new CronWindow('0 9 * * mon-fri', HOUR)
    expect(window.isActive(at('2026-06-12T09:30:00Z'))).toBe(true)
    expect(window.isActive(at('2026-06-13T09:30:00Z'))).toBe(false)
  })
})

describe('a schedule with a time zone', () => {
  test.each(['TZ=Europe/Berlin 0 9 * * mon-fri', 'CRON_TZ=Europe/Berlin 0 9 * * mon-fri'])(
    '%s uses the local time there, in summer and winter',
    (schedule) => {
      const window = new CronWindow(schedule, HOUR)
      expect(window.isActive(at('2026-06-12T06:59:59Z'))).toBe(false)
      expect(window.isActive(at('2026-06-12T07:00:00Z'))).toBe(true)
      expect(window.endsAt(at('2026-06-12T07:30:00Z'))).toBe(at('2026-06-12T08:00:00Z'))
      expect(window.isActive(at('2026-01-12T07:30:00Z'))).toBe(false)
      expect(window.isActive(at('2026-01-12T08:30:00Z'))).toBe(true)
      expect(window.isActive(at('2026-06-13T07:30:00Z'))).toBe(false)
    },
  )

  test('a match that the start of daylight saving time skips occurs once, later', () => {
    const window = new CronWindow('TZ=Europe/Berlin 30 2 * * *', HOUR)
    expect(window.startsAt(at('2026-03-29T00:00:00Z'))).toBe(at('2026-03-29T01:00:00Z'))
    expect(window.startsAt(at('2026-03-29T03:00:00Z'))).toBe(at('2026-03-30T00:30:00Z'))
  })

  test.each([
    ['TZ=Mars/Olympus 0 9 * * *', 'unknown time zone "Mars/Olympus"'],
    ['TZ= 0 9 * * *', 'unknown time zone ""'],
    ['TZ=Local 0 9 * * *', 'unknown time zone "Local"'],
    ['TZ=UTC TZ=UTC 0 9 * * *', 'expected exactly 5 fields, found 6: [TZ=UTC 0 9 * * *]'],
    ['TZ=UTC', 'expected exactly 5 fields, found 0: []'],
  ])('%s cannot be read: %s', (schedule, error) => {
    expect(budgetAllowance(poolWith({ nodes: '1', schedule, duration: '1h' }), 'Empty', 10, JUNE)).toMatchObject({
      allowed: 0,
      error: `budget 0: ${error}`,
    })
  })
})

describe('when a budget opens', () => {
  const noon = at('2026-06-10T12:00:00Z')
  const shut = (schedule: string, duration: string, nodes = '0') => ({ nodes, schedule, duration })

  test.each([
    ['its window ends', [shut('0 12 * * *', '1h')], 0, at('2026-06-10T13:00:00Z')],
    ['the last of several windows ends', [shut('0 12 * * *', '1h'), shut('0 12 * * *', '3h')], 0, noon + 3 * HOUR],
    [
      'a window that begins meanwhile ends',
      [shut('0 12 * * *', '1h'), shut('30 12 * * *', '1h')],
      0,
      noon + 1.5 * HOUR,
    ],
    ['another without a schedule allows more', [shut('0 12 * * *', '1h'), { nodes: '2' }], 1, noon + HOUR],
  ])('%s', (_when, budgets, disrupting, opens) => {
    expect(opensAt(poolWith(...budgets), 'Empty', 10, disrupting, noon)).toBe(opens)
  })

  test.each([
    ['one without a schedule allows nothing', [shut('0 12 * * *', '1h'), { nodes: '0' }], 0],
    ['as many are disrupted already', [shut('0 12 * * *', '1h'), { nodes: '2' }], 2],
    ['the window has no end', [shut('* * * * *', '1h')], 0],
    ['one cannot be read', [{ nodes: '0' }, shut('61 * * * *', '1h')], 0],
  ])('is not known if %s', (_why, budgets, disrupting) => {
    expect(opensAt(poolWith(...budgets), 'Empty', 10, disrupting, noon)).toBeUndefined()
  })
})

describe('evaluated matches of a schedule', () => {
  const looks = vi.spyOn(Cron.prototype, 'nextRun')
  const shut = (schedule: string, duration: string) => ({ nodes: '0', schedule, duration })
  const lookedAt = (work: () => void): number => {
    looks.mockClear()
    work()
    return looks.mock.calls.length
  }

  test('a window without an end is evaluated once, and then only as time advances', () => {
    const pool = poolWith(shut('* * * * *', '10m'))
    const ask = (now: number) => () => expect(opensAt(pool, 'Empty', 10, 0, now)).toBeUndefined()
    expect(lookedAt(ask(JUNE))).toBeLessThan(2_010)
    for (let minute = 1; minute < 60; minute++) expect(lookedAt(ask(JUNE + minute * 60_000))).toBeLessThan(5)
  })

  test('whether a window is open is computed only once until the schedule’s next match', () => {
    const window = new CronWindow('0 10 * * *', HOUR)
    const isOpen = (time: string) => window.isActive(at(`2026-06-10T${time}Z`))
    expect(lookedAt(() => isOpen('09:00:00'))).toBe(1)
    expect(
      lookedAt(() => expect([isOpen('09:59:59'), isOpen('10:00:00'), isOpen('10:59:59')]).toEqual([false, true, true])),
    ).toBe(0)
    expect(lookedAt(() => expect(isOpen('11:00:00')).toBe(false))).toBe(1)
    expect(isOpen('10:30:00')).toBe(true)
  })

  test('consecutive windows without a gap are not evaluated for weeks ahead', () => {
    const pool = poolWith(shut('* 0-11 * * *', '2m'), shut('* 12-23 * * *', '2m'))
    expect(lookedAt(() => expect(opensAt(pool, 'Empty', 10, 0, JUNE)).toBeUndefined())).toBeLessThan(2_100)
  })

  test('an end that was too far ahead is found when it is near enough', () => {
    const pool = poolWith(shut('* * * * mon-fri', '10m'))
    const saturday = at('2026-06-13T00:09:00Z')
    for (let hour = 0; hour < 60; hour++) {
      const now = at('2026-06-10T12:00:00Z') + hour * HOUR
      const opens = opensAt(pool, 'Empty', 10, 0, now)
      // The schedule matches every minute, so 2,000 matches reach 33 hours and 20 minutes ahead.
      if (saturday - now > 34 * HOUR) expect(opens).toBeUndefined()
      if (saturday - now < 33 * HOUR) expect(opens).toBe(saturday)
    }
  })

  test('the allowance at the present time does not need the end of the window', () => {
    const pool = poolWith(shut('* * * * *', '11m'))
    expect(lookedAt(() => budgetAllowance(pool, 'Empty', 10, JUNE))).toBe(1)
  })
})

const shutAllDay = (schedule: string) => ({ nodes: '0', schedule, duration: '24h' })

test('all budgets that allow no more are named; if one cannot be read, it is named alone', () => {
  const zones = ['Europe/Berlin', 'America/New_York'].map((zone) => shutAllDay(`TZ=${zone} 0 0 * * *`))
  const pool = poolWith({ nodes: '3' }, ...zones, { nodes: '0', reasons: ['Drifted'] })
  expect(closedBudgets(pool, 'Empty', 10, 0, JUNE)).toEqual([1, 2])
  expect(closedBudgets(pool, 'Drifted', 10, 0, JUNE)).toEqual([1, 2, 3])
  expect(closedBudgets(pool, 'Empty', 10, 3, JUNE)).toEqual([0, 1, 2])
  expect(closedBudgets(poolWith({ nodes: '0' }, shutAllDay('61 * * * *')), 'Empty', 10, 0, JUNE)).toEqual([1])
  expect(closedBudgets(poolWith({ nodes: '5' }), 'Empty', 10, 4, JUNE)).toEqual([])
})

describe('schedules', () => {
  test.each([
    ['@hourly', '0 * * * *'],
    ['@weekly', '0 0 * * 0'],
    ['*/20 8-10 ? JAN,3 Sun', '0,20,40 8,9,10 * 1,3 0'],
    ['5/25 * * * *', '5,30,55 * * * *'],
    ['  0   0  1-3  *  fri-6 ', '0 0 1,2,3 * 5,6'],
  ])('%s means %s', (schedule, canonical) => {
    expect(canonicalSchedule(schedule)).toBe(canonical)
  })

  test.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['0 * * * * *', 'expected exactly 5 fields, found 6: [0 * * * * *]'],
    ['@every 1h', 'unrecognized descriptor: @every 1h'],
    ['@reboot', 'unrecognized descriptor: @reboot'],
    ['0 0 * * tue-mon', 'beginning of range (2) beyond end of range (1): tue-mon'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['0 0 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['0 0 * * 7', 'end of range (7) above maximum (6): 7'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['a * * * *', 'failed to parse minute from "a"'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    [', * * * *', 'empty minute: ","'],
    ['L * * * *', 'failed to parse minute from "L"'],
  ])('schedule %s is refused: %s', (schedule, complaint) => {
    expect(() => canonicalSchedule(schedule)).toThrow(complaint)
  })
})
