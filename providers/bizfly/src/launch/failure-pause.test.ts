import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FailurePause } from './failure-pause.ts'

test('the third failure in a row pauses all creations, and each further failure doubles the pause', async () => {
  const clock = new VirtualClock()
  const pause = new FailurePause(clock)
  expect([pause.failed(), pause.failed(), pause.failed()]).toEqual([undefined, undefined, 60_000])
  // Failures of creations that started before the pause do not prolong it.
  await clock.advance(59_999)
  expect(pause.failed()).toBeUndefined()
  await clock.advance(1)
  expect(pause.failed()).toBe(120_000)
})

test('a success resets the count', () => {
  const pause = new FailurePause(new VirtualClock())
  pause.failed()
  pause.failed()
  pause.succeeded()
  expect([pause.failed(), pause.failed(), pause.failed()]).toEqual([undefined, undefined, 60_000])
})
