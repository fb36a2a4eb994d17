import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { Periods } from './periods.ts'

const MARGIN = 60_000

const clockAndPeriods = (): { readonly clock: VirtualClock; readonly periods: Periods } => {
  const clock = new VirtualClock()
  return { clock, periods: new Periods(clock, MARGIN) }
}

test('a time is near a period if it is within the period or the margin after it', async () => {
  const { clock, periods } = clockAndPeriods()
  expect(periods.any).toBe(false)
  await clock.advance(10_000)
  const from = clock.monotonic()
  const end = periods.begin()
  await clock.advance(5_000)
  const to = clock.monotonic()
  end()
  expect(periods.any).toBe(true)
  expect([from - 1, from, to, to + MARGIN, to + MARGIN + 1].map((at) => periods.near(at))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
})

test('a period lasts until its end function is called, and a second call does not extend it', async () => {
  const { clock, periods } = clockAndPeriods()
  const end = periods.begin()
  await clock.advance(3_600_000)
  expect(periods.near(clock.monotonic())).toBe(true)
  end()
  await clock.advance(MARGIN)
  expect(periods.near(clock.monotonic())).toBe(true)
  end()
  await clock.advance(1)
  expect(periods.near(clock.monotonic())).toBe(false)
})

test('a time range is within a period if any part of it is; an object’s timestamp represents its whole second', async () => {
  const { clock, periods } = clockAndPeriods()
  await clock.advance(100_000)
  const from = clock.monotonic()
  const began = clock.now()
  periods.begin()()
  expect([
    periods.within(0, from - 1),
    periods.within(0, from),
    periods.within(from + MARGIN, from + 2 * MARGIN),
  ]).toEqual([false, true, true])
  const day = (at: number): boolean => periods.nearTime(new Date(at).toISOString())
  expect([day(began - 1_001), day(began - 1_000), day(began + MARGIN), day(began + MARGIN + 1)]).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(periods.nearTime(undefined)).toBe(false)
})

test('periods may overlap, each with its own end', async () => {
  const { clock, periods } = clockAndPeriods()
  const endFirst = periods.begin()
  await clock.advance(1_000)
  const endSecond = periods.begin()
  endFirst()
  await clock.advance(10 * MARGIN)
  expect(periods.near(clock.monotonic())).toBe(true)
  endSecond()
  await clock.advance(MARGIN + 1)
  expect(periods.near(clock.monotonic())).toBe(false)
})
