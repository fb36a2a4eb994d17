import { expect, test } from 'vitest'
import { SettleWatch } from './settle-watch.ts'

test('settles after the hold time, which starts with the first quiet view', () => {
  const watch = new SettleWatch(2_000)
  expect(watch.look(true, 10_000)).toBe(false)
  expect(watch.look(true, 11_999)).toBe(false)
  expect(watch.look(true, 12_000)).toBe(true)
})

test('any activity restarts the hold time', () => {
  const watch = new SettleWatch(2_000)
  watch.look(true, 0)
  expect(watch.look(false, 1_999)).toBe(false)
  expect(watch.look(true, 2_000)).toBe(false)
  expect(watch.look(true, 3_999)).toBe(false)
  expect(watch.look(true, 4_000)).toBe(true)
})
