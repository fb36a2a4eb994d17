import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { ScaledClock } from './scaled-clock.ts'

test('a scaled clock starts at the other clock’s time and runs faster', async () => {
  const base = new VirtualClock()
  const clock = new ScaledClock(base, 60)
  const start = base.now()
  expect(clock.now()).toBe(start)
  const fired: number[] = []
  clock.timer(90_000, () => fired.push(clock.now() - start))
  const cancelled = clock.timer(30_000, () => fired.push(-1))
  cancelled.cancel()
  await base.advance(1000)
  expect(clock.now()).toBe(start + 60_000)
  expect(fired).toEqual([])
  await base.advance(500)
  expect(fired).toEqual([90_000])
  expect(() => new ScaledClock(base, 0)).toThrow('speed must be a positive number, not 0')
})
