import { expect, test } from 'vitest'
import { keptList } from './kept-list.ts'

test('a list is the same array while its items are the same', () => {
  const [a, b] = [{}, {}]
  const before = [a, b]
  expect(keptList(before, [a, b])).toBe(before)
  for (const now of [[a], [b, a], [a, {}], [a, b, a], []]) expect(keptList(before, now)).toBe(now)
})
