import { expect, test } from 'vitest'
import { lazily } from './lazily.ts'

test('a value is created once for all callers, and a failure is not cached', async () => {
  let made = 0
  const value = lazily(async () => {
    made++
    if (made === 1) throw new Error('not yet')
    return made
  })
  expect(made).toBe(0)
  await expect(value()).rejects.toThrow('not yet')
  expect(await Promise.all([value(), value()])).toEqual([2, 2])
  expect(await value()).toBe(2)
})
