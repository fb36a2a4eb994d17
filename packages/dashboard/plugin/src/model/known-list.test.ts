import { expect, test } from 'vitest'
import { knownList } from './known-list.ts'

test('a refused or loading list is unknown, and an empty list is empty', () => {
  const refused = { status: 403 }
  expect(knownList([], refused)).toEqual({ items: null, error: refused, isLoading: false })
  expect(knownList(null, null)).toEqual({ items: null, error: null, isLoading: true })
  expect(knownList(null, undefined)).toEqual({ items: null, error: undefined, isLoading: true })
  expect(knownList([], null)).toEqual({ items: [], error: null, isLoading: false })
  expect(knownList([], undefined)).toEqual({ items: [], error: undefined, isLoading: false })
})

test('the items of one cluster are shown together with the error of another', () => {
  expect(knownList(['a'], { status: 403 })).toEqual({ items: ['a'], error: { status: 403 }, isLoading: false })
})
