import { expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { SharedResponse } from './shared-response.ts'

test('is made once for all who ask together, and again for whoever asks later', async () => {
  const clock = new VirtualClock()
  let made = 0
  const shared = new SharedResponse(clock, async () => `answer ${++made}`)
  const together = Array.from({ length: 1_000 }, () => shared.get())
  await clock.advance(1)
  expect(new Set((await Promise.all(together)).map(String))).toEqual(new Set(['answer 1']))
  const later = shared.get()
  await clock.advance(1)
  expect(String(await later)).toBe('answer 2')
})

test('one that could not be made does not spoil the next', async () => {
  const clock = new VirtualClock()
  let broken = true
  const shared = new SharedResponse(clock, async () => {
    if (broken) throw new Error('broken')
    return 'well'
  })
  const first = shared.get().catch((error: Error) => error.message)
  await clock.advance(1)
  expect(await first).toBe('broken')
  broken = false
  const second = shared.get()
  await clock.advance(1)
  expect(String(await second)).toBe('well')
})
