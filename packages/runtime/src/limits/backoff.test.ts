import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { Backoff, backoffAfter, retrying } from './backoff.ts'

describe('back-off', () => {
  test('doubles up to its maximum, no matter how many failures there are', () => {
    expect([1, 2, 3, 4, 100, 5_000].map((failures) => backoffAfter({ base: 5, max: 30 }, failures))).toEqual([
      5, 10, 20, 30, 30, 30,
    ])
    const backoff = new Backoff({ base: 100, max: 1_000, jitter: 0.5 }, new SeededRandom(1))
    const first = backoff.next()
    expect(first).toBeGreaterThanOrEqual(100)
    expect(first).toBeLessThan(150)
    backoff.reset()
    expect(backoff.failures).toBe(0)
  })

  test('ends with a success, with the last error, or with an error that is not worth a retry', async () => {
    const clock = new VirtualClock()
    let calls = 0
    const failing = async (): Promise<never> => {
      calls++
      throw new Error(`attempt ${calls}`)
    }
    const rule = { attempts: 3, base: 1_000, max: 10_000 }
    const outcome = expect(retrying({ clock }, rule, failing)).rejects.toThrow('attempt 3')
    await clock.advance(3_000)
    await outcome
    expect(clock.pending).toBe(0)
    calls = 0
    await expect(retrying({ clock }, { ...rule, when: () => false }, failing)).rejects.toThrow('attempt 1')
    expect(await retrying({ clock }, rule, async (attempt) => attempt)).toBe(1)
  })
})
