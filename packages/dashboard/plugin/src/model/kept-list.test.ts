import { expect, test } from 'vitest'
import { keptList } from './kept-list.ts'

test('returns the same array while the items are the same', () => {
  const [a, b] = [{}, {}]
  const before = [a, b]
  expect(keptList(before, [a, b])).toBe(before)
  for (const now of [[a], [b, a], [a, {}], [a, b, a], []]) expect(keptList(before, now)).toBe(now)
})
