import { describe, expect, test } from 'vitest'
import { sleep } from './clock.ts'
import { mapLimit } from './map-limit.ts'
import { VirtualClock } from './virtual-clock.ts'

describe('mapLimit', () => {
  test('keeps order and never has more than its limit under way', async () => {
    const clock = new VirtualClock()
    let active = 0
    let most = 0
    const mapped = mapLimit(
      Array.from({ length: 20 }, (_, index) => index),
      4,
      async (value, signal) => {
        most = Math.max(most, ++active)
        await sleep(clock, (value * 7) % 13, signal)
        active--
        return value * 2
      },
    )
    await clock.advance(1_000)
    expect(await mapped).toEqual(Array.from({ length: 20 }, (_, index) => index * 2))
    expect(most).toBe(4)
  })

  test('the first error stops the rest', async () => {
    const clock = new VirtualClock()
    const started: number[] = []
    const mapped = mapLimit([1, 2, 3, 4], 2, async (value, signal) => {
      started.push(value)
      if (value === 1) throw new Error('first')
      await sleep(clock, 1_000, signal)
    })
    await expect(mapped).rejects.toThrow('first')
    expect(started).toEqual([1, 2])
    expect(clock.pending).toBe(0)
  })

  test('an abort is its reason, and nonsense is refused', async () => {
    await expect(mapLimit([1], 1, async () => 1, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    await expect(mapLimit([1], 0, async () => 1)).rejects.toThrow(RangeError)
    expect(await mapLimit([], 3, async () => 1)).toEqual([])
  })
})
