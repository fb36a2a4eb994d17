import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { Spans } from './spans.ts'

const MARGIN = 60_000

const clockAndSpans = (): { readonly clock: VirtualClock; readonly spans: Spans } => {
  const clock = new VirtualClock()
  return { clock, spans: new Spans(clock, MARGIN) }
}

test('excuses what lies within a span and a margin after it, and nothing before or later', async () => {
  const { clock, spans } = clockAndSpans()
  expect(spans.any).toBe(false)
  await clock.advance(10_000)
  const from = clock.monotonic()
  const end = spans.begin()
  await clock.advance(5_000)
  const to = clock.monotonic()
  end()
  expect(spans.any).toBe(true)
  expect([from - 1, from, to, to + MARGIN, to + MARGIN + 1].map((at) => spans.near(at))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
})

test('lasts until it is ended, and ending it again does not make it longer', async () => {
  const { clock, spans } = clockAndSpans()
  const end = spans.begin()
  await clock.advance(3_600_000)
  expect(spans.near(clock.monotonic())).toBe(true)
  end()
  await clock.advance(MARGIN)
  expect(spans.near(clock.monotonic())).toBe(true)
  end()
  await clock.advance(1)
  expect(spans.near(clock.monotonic())).toBe(false)
})

test('a stretch of time counts when any part of it lies so; a time of day is a whole second', async () => {
  const { clock, spans } = clockAndSpans()
  await clock.advance(100_000)
  const from = clock.monotonic()
  const began = clock.now()
  spans.begin()()
  expect([spans.within(0, from - 1), spans.within(0, from), spans.within(from + MARGIN, from + 2 * MARGIN)]).toEqual([
    false,
    true,
    true,
  ])
  const day = (at: number): boolean => spans.nearTime(new Date(at).toISOString())
  expect([day(began - 1_001), day(began - 1_000), day(began + MARGIN), day(began + MARGIN + 1)]).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(spans.nearTime(undefined)).toBe(false)
})

test('several may overlap, each with its own end', async () => {
  const { clock, spans } = clockAndSpans()
  const endFirst = spans.begin()
  await clock.advance(1_000)
  const endSecond = spans.begin()
  endFirst()
  await clock.advance(10 * MARGIN)
  expect(spans.near(clock.monotonic())).toBe(true)
  endSecond()
  await clock.advance(MARGIN + 1)
  expect(spans.near(clock.monotonic())).toBe(false)
})
