import { expect, test } from 'vitest'
import { SettleWatch } from './settle-watch.ts'

test('settles after the hold time, counted from the first quiet look', () => {
  const watch = new SettleWatch(2_000)
  expect(watch.look(true, 10_000)).toBe(false)
  expect(watch.look(true, 11_999)).toBe(false)
  expect(watch.look(true, 12_000)).toBe(true)
})

test('any activity starts the hold time again', () => {
  const watch = new SettleWatch(2_000)
  watch.look(true, 0)
  expect(watch.look(false, 1_999)).toBe(false)
  expect(watch.look(true, 2_000)).toBe(false)
  expect(watch.look(true, 3_999)).toBe(false)
  expect(watch.look(true, 4_000)).toBe(true)
})
