import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sleep } from './clock.ts'
import { VIRTUAL_EPOCH, VirtualClock } from './virtual-clock.ts'

describe('VirtualClock', () => {
  test('fires due timers in order of due time and then of creation', async () => {
    const clock = new VirtualClock()
    const fired: string[] = []
    clock.timer(20, () => fired.push('late'))
    clock.timer(10, () => fired.push('first of ten'))
    clock.timer(10, () => fired.push('second of ten'))
    await clock.advance(15)
    expect(fired).toEqual(['first of ten', 'second of ten'])
    expect(clock.now()).toBe(VIRTUAL_EPOCH + 15)
    await clock.advance(5)
    expect(fired).toEqual(['first of ten', 'second of ten', 'late'])
  })

  test('advances until the work is done, and not further, and rethrows errors of the work', async () => {
    const clock = new VirtualClock()
    expect(
      await clock.advanceUntilDone(
        sleep(clock, 25).then(() => clock.monotonic()),
        10,
      ),
    ).toBe(25)
    expect(clock.monotonic()).toBe(30)
    const fails = sleep(clock, 5).then(() => {
      throw new Error('refused')
    })
    await expect(clock.advanceUntilDone(fails, 10)).rejects.toThrow('refused')
    expect(clock.monotonic()).toBe(40)
  })

  test('lets promise chains progress between two timers', async () => {
    const clock = new VirtualClock()
    const seen: number[] = []
    const worker = async (): Promise<void> => {
      for (let round = 0; round < 5; round++) {
        await sleep(clock, 100)
        for (let hop = 0; hop < 50; hop++) await Promise.resolve()
        seen.push(clock.monotonic())
      }
    }
    const work = worker()
    await clock.advance(500)
    await work
    expect(seen).toEqual([100, 200, 300, 400, 500])
  })

  test('does not fire a cancelled timer, and rejects a cancelled sleep with the reason', async () => {
    const clock = new VirtualClock()
    let fired = false
    clock
      .timer(10, () => {
        fired = true
      })
      .cancel()
    const abort = new AbortController()
    const asleep = sleep(clock, 1_000, abort.signal)
    const outcome = expect(asleep).rejects.toThrow('enough')
    abort.abort(new Error('enough'))
    await outcome
    expect(await clock.runUntilIdle()).toBe(true)
    expect(fired).toBe(false)
    expect(clock.pending).toBe(0)
    expect(clock.monotonic()).toBe(0)
  })

  test('stops `runUntil` as soon as the predicate is true, and returns false if it never is', async () => {
    const clock = new VirtualClock()
    let ready = false
    clock.timer(300, () => {
      ready = true
    })
    clock.timer(900, () => {})
    expect(await clock.runUntil(() => ready)).toBe(true)
    expect(clock.monotonic()).toBe(300)
    expect(await clock.runUntil(() => false, 100)).toBe(false)
    expect(clock.monotonic()).toBe(400)
    expect(await clock.runUntil(VIRTUAL_EPOCH + 2_000)).toBe(true)
    expect(clock.monotonic()).toBe(2_000)
  })

  test('gives up in `runUntilIdle` if code keeps setting timers', async () => {
    const clock = new VirtualClock()
    const again = (): void => {
      clock.timer(1_000, again)
    }
    again()
    expect(await clock.runUntilIdle(10_000)).toBe(false)
  })

  test('refuses two callers that drive it at the same time', async () => {
    const clock = new VirtualClock()
    const first = clock.advance(10)
    await expect(clock.advance(10)).rejects.toThrow('only one caller')
    await first
  })

  test('reports code that keeps setting timers of zero length, or so short that they do not advance the time', async () => {
    for (const wait of [0, 1e-9]) {
      const clock = new VirtualClock()
      await clock.advance(1e9)
      const again = (): void => void clock.timer(wait, again)
      again()
      await expect(clock.advance(1)).rejects.toThrow('time stands still at 1000000000 ms')
    }
  })

  test('allows any number of timers of zero length as long as time passes', async () => {
    const clock = new VirtualClock()
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 60_000; index++) clock.timer(0, () => {})
      await clock.advance(1)
      clock.timer(1, () => {})
      await clock.advance(1)
    }
    expect(clock.monotonic()).toBe(4)
  })

  test('for any mix of timers and cancellations, fires exactly the remaining timers in order', async () => {
    const script = fc.array(fc.record({ after: fc.integer({ min: 0, max: 50 }), cancel: fc.boolean() }), {
      maxLength: 400,
    })
    await fc.assert(
      fc.asyncProperty(script, async (timers) => {
        const clock = new VirtualClock()
        const fired: number[] = []
        const handles = timers.map(({ after }, index) => clock.timer(after, () => fired.push(index)))
        timers.forEach(({ cancel }, index) => {
          if (cancel) handles[index]?.cancel()
        })
        const expected = timers
          .map(({ after, cancel }, index) => ({ after, cancel, index }))
          .filter(({ cancel }) => !cancel)
          .sort((a, b) => a.after - b.after || a.index - b.index)
        expect(clock.pending).toBe(expected.length)
        await clock.advance(50)
        expect(fired).toEqual(expected.map(({ index }) => index))
      }),
      { numRuns: 50 },
    )
  })
})
