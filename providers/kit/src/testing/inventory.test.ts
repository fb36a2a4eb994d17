import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { Inventory } from './inventory.ts'

test('a terminated instance is listed until it has ended and for some time after that, and then removed', async () => {
  const clock = new VirtualClock()
  const inventory = new Inventory<{ readonly name: string; readonly endsAt?: number }>(clock, { visibleFor: 60_000 })
  inventory.set('a', { name: 'a' })
  inventory.set('b', { name: 'b', endsAt: clock.monotonic() + 1_000 })
  const now = () => ({
    visible: inventory.visible().map((each) => `${each.name} ${inventory.stateOf(each)}`),
    living: inventory.living().map(({ name }) => name),
  })
  expect(now()).toEqual({ visible: ['a running', 'b ending'], living: ['a', 'b'] })
  await clock.advance(999)
  expect(now().living).toEqual(['a', 'b'])
  await clock.advance(1)
  expect(now()).toEqual({ visible: ['a running', 'b gone'], living: ['a'] })
  await clock.advance(59_999)
  expect(inventory.has('b')).toBe(true)
  await clock.advance(1)
  expect(now()).toEqual({ visible: ['a running'], living: ['a'] })
  expect(inventory.has('b')).toBe(false)
})
