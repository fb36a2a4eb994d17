import { expect, test } from 'vitest'
import { knownList } from './known-list.ts'

test('a list that is refused, or not there yet, is not known, and an empty one is empty', () => {
  const refused = { status: 403 }
  expect(knownList([], refused)).toEqual({ items: null, error: refused })
  expect(knownList(null, null)).toEqual({ items: null, error: null })
  expect(knownList([], null)).toEqual({ items: [], error: null })
  expect(knownList([], undefined)).toEqual({ items: [], error: undefined })
})

test('what one of several places answered is shown beside the refusal of another', () => {
  expect(knownList(['a'], { status: 403 })).toEqual({ items: ['a'], error: { status: 403 } })
})
