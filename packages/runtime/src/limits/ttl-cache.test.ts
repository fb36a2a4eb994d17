import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { TtlCache } from './ttl-cache.ts'

describe('a TTL cache', () => {
  test('drops entries after their lifetime, or when it is full', async () => {
    const clock = new VirtualClock()
    const cache = new TtlCache<string, number>(clock, { ttl: 1_000, maxSize: 2 })
    cache.set('a', 1)
    cache.set('b', 2, 5_000)
    cache.set('a', 3)
    cache.set('c', 4)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([3, undefined, 4])
    await clock.advance(1_000)
    expect(cache.has('a')).toBe(false)
    expect(cache.size).toBe(0)
  })

  test('does not grow with keys that are never read again', async () => {
    const clock = new VirtualClock()
    const cache = new TtlCache<number, number>(clock, { ttl: 10 })
    for (let key = 0; key < 5_000; key++) {
      cache.set(key, key)
      if (key % 50 === 0) await clock.advance(5)
    }
    expect(cache.size).toBeLessThan(300)
  })
})
