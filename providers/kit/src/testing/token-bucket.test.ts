import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

test('a bucket is full at first, gives all requested tokens or none, and refills at its rate up to its capacity', async () => {
  const clock = new VirtualClock()
  const bucket = new TokenBucket(clock, { capacity: 10, refill: 0.5 })
  expect([bucket.take(8), bucket.take(3), bucket.take(2)]).toEqual([true, false, true])
  await clock.advance(1_000)
  expect(bucket.take(1)).toBe(false)
  await clock.advance(1_000)
  expect([bucket.take(1), bucket.take(1)]).toEqual([true, false])
  await clock.advance(3_600_000)
  expect([bucket.take(11), bucket.take(10)]).toEqual([false, true])
})

test('a drained bucket stays empty for the given time, and refills after that', async () => {
  const clock = new VirtualClock()
  const bucket = new TokenBucket(clock, { capacity: 10, refill: 1 })
  bucket.drain(5_000)
  await clock.advance(4_999)
  expect(bucket.take(0)).toBe(false)
  await clock.advance(2_001)
  expect([bucket.take(3), bucket.take(2)]).toEqual([false, true])
})
