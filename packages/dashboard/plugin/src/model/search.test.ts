import { expect, test } from 'vitest'
import { isFound } from './search.ts'

const claim = { metadata: { name: 'general-x7k', uid: 'a1b2', labels: { 'karpenter.sh/nodepool': 'General', cpu: 8 } } }

test.each([
  ['x7', true],
  ['GENERAL', true],
  ['a1b', true],
  ['nodepool', true],
  ['8', true],
  ['shop', false],
])('the search %s finds the object: %s', (search, isThere) => {
  expect(isFound(claim, search)).toBe(isThere)
})

test('a value that is not an object is not found', () => {
  expect(
    [undefined, null, 'general', { metadata: { labels: 'general' } }].filter((each) => isFound(each, 'general')),
  ).toEqual([])
})
