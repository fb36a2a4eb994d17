import { describe, expect, test } from 'vitest'
import { sleep } from '../clock/clock.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { ApiError, isConflict } from '../kube-client/api-error.ts'
import { mapLimit, mapWhole } from './map-limit.ts'

describe('mapLimit', () => {
  test('keeps the order, and never exceeds its limit of concurrent calls', async () => {
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

  test('does not stop other calls after a failure, and throws it after all have ended', async () => {
    const clock = new VirtualClock()
    const ended: number[] = []
    const mapped = mapLimit([1, 2, 3, 4], 2, async (value, signal) => {
      if (value === 1) throw new Error('first')
      await sleep(clock, 1_000, signal)
      ended.push(value)
    })
    const thrown = expect(mapped).rejects.toThrow(/^first$/)
    await clock.advance(3_000)
    await thrown
    expect(ended).toEqual([2, 3, 4])
  })

  test('throws several failures as one error with their number and the first one, and several conflicts as a conflict', async () => {
    const failing = (make: (value: number) => Error): Promise<unknown> =>
      mapLimit([1, 2, 3], 1, async (value) => {
        if (value !== 2) throw make(value)
      }).catch((error: unknown) => error)
    const several = await failing((value) => new Error(`no ${value}`))
    expect(several).toBeInstanceOf(AggregateError)
    expect(several).toMatchObject({
      message: '2 of 3 failed: no 1',
      errors: [{ message: 'no 1' }, { message: 'no 3' }],
    })
    expect(isConflict(await failing(() => new ApiError({ code: 409, reason: 'Conflict', message: 'stale' })))).toBe(
      true,
    )
  })

  test('starts no more calls after an abort', async () => {
    const abort = new AbortController()
    const started: number[] = []
    const mapped = mapLimit(
      [1, 2, 3],
      1,
      async (value) => {
        started.push(value)
        abort.abort(new Error('stop'))
      },
      abort.signal,
    )
    await expect(mapped).rejects.toThrow('stop')
    expect(started).toEqual([1])
  })

  test('throws the reason of an abort, and refuses an invalid limit', async () => {
    await expect(mapLimit([1], 1, async () => 1, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    await expect(mapLimit([1], 0, async () => 1)).rejects.toThrow(RangeError)
    expect(await mapLimit([], 3, async () => 1)).toEqual([])
  })
})

describe('mapWhole', () => {
  test('aborts the other calls after the first failure, and throws that failure', async () => {
    const clock = new VirtualClock()
    const denied = new TypeError('denied')
    const ended: number[] = []
    const mapped = mapWhole([1, 2, 3, 4], 2, async (value, signal) => {
      if (value === 1) throw denied
      await sleep(clock, 1_000, signal)
      ended.push(value)
    }).catch((error: unknown) => error)
    await clock.advance(3_000)
    expect(await mapped).toBe(denied)
    expect(ended).toEqual([])
  })

  test('returns all results in order if nothing fails, and throws the reason of an external abort', async () => {
    expect(await mapWhole([3, 1, 2], 2, async (value) => value * 2)).toEqual([6, 2, 4])
    await expect(mapWhole([1], 1, async () => 1, AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
  })
})
