import { expect, test } from 'vitest'
import { emptyKey } from './list-state.ts'

test('only a known list is empty, and a list is not unknown while it is loading', () => {
  expect(emptyKey(true, false)).toBe('none')
  expect(emptyKey(false, true)).toBe('loading')
  expect(emptyKey(false, false)).toBe('notKnown')
  // A list of one cluster is known while another is still loading.
  expect(emptyKey(true, true)).toBe('none')
})
