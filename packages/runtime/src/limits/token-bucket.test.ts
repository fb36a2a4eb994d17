import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { TokenBucket } from './token-bucket.ts'

describe('a token bucket', () => {
  test('allows the burst at once and then the rate', async () => {
    const clock = new VirtualClock()
    const bucket = new TokenBucket(clock, { qps: 5, burst: 10 })
    const take = (): number => Array.from({ length: 50 }, () => bucket.tryTake()).filter(Boolean).length
    expect(take()).toBe(10)
    await clock.advance(1_000)
    expect(take()).toBe(5)
    await clock.advance(60_000)
    expect(take()).toBe(10)
  })

  test('serves waiting callers in order, and is not delayed by an aborted wait', async () => {
    const clock = new VirtualClock()
    const bucket = new TokenBucket(clock, { qps: 10, burst: 1 })
    const served: string[] = []
    const abort = new AbortController()
    const wait = (name: string, signal?: AbortSignal): Promise<unknown> =>
      bucket.take(signal).then(() => served.push(`${name} ${clock.monotonic()}`))
    await wait('a')
    const b = wait('b', abort.signal).catch(() => served.push('b gave up'))
    abort.abort(new Error('no'))
    await b
    const c = wait('c')
    const d = wait('d')
    await clock.advance(1_000)
    await Promise.all([c, d])
    expect(served).toEqual(['a 0', 'b gave up', 'c 100', 'd 200'])
  })

  test('never exceeds burst + rate × time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(700), { maxLength: 60 }), async (gaps) => {
        const clock = new VirtualClock()
        const bucket = new TokenBucket(clock, { qps: 3, burst: 4 })
        let taken = 0
        for (const gap of gaps) {
          await clock.advance(gap)
          if (bucket.tryTake()) taken++
          expect(taken).toBeLessThanOrEqual(4 + (3 * clock.monotonic()) / 1_000 + 1e-9)
        }
      }),
      { numRuns: 30 },
    )
  })
})
