import { expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { RequestLimit } from './request-limit.ts'

test('fifty requests are allowed at once, and then five per second; a refusal says how many seconds to wait', async () => {
  const clock = new VirtualClock()
  const usual = new RequestLimit(clock)
  const taken = (limit: RequestLimit, count: number): number =>
    Array.from({ length: count }, () => limit.take()).filter((refusal) => refusal === undefined).length
  expect(taken(usual, 60)).toBe(50)
  await clock.advance(1_000)
  expect(taken(usual, 10)).toBe(5)
  expect(usual.take()?.headers).toEqual({ 'retry-after': '1' })
  const slow = new RequestLimit(clock, { qps: 0.4, burst: 1 })
  expect(taken(slow, 1)).toBe(1)
  expect(slow.take()).toEqual({
    status: 429,
    text: 'too many requests; try again later',
    headers: { 'retry-after': '3' },
  })
  await clock.advance(1_000)
  expect(slow.take()?.headers).toEqual({ 'retry-after': '2' })
})
