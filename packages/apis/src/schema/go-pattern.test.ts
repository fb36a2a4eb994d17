import { expect, test } from 'vitest'
import { goPattern } from './go-pattern.ts'

test.each([
  ['^a.b$', 'a\rb', true],
  ['^a.b$', 'a\nb', false],
  ['(?s)^a.b$', 'a\nb', true],
  ['(?i)^abc$', 'ABC', true],
  ['^\\s$', '\u00a0', false],
  ['^[\\s]$', '\t', true],
  ['^\\S$', '\u00a0', true],
  ['^[[:alpha:]]+$', 'abc', true],
  ['^[[:alpha:]-]+$', 'a-b', true],
  ['^[^[:digit:]]+$', 'a1', false],
  ['^[]a]+$', ']a', true],
  ['^[^]a]+$', ']', false],
  ['^[[]$', '[', true],
  ['\\Aabc\\z', 'abc', true],
  ['\\Aabc\\z', 'abc\n', false],
  ['^(?P<name>a)$', 'a', true],
  ['a\\.b', 'a.b', true],
  ['^a\\/b$', 'a/b', true],
])('pattern %s matches %j: %s', (pattern, text, expected) => {
  expect(goPattern(pattern).test(text)).toBe(expected)
})

test('an invalid pattern throws', () => {
  expect(() => goPattern('(')).toThrow(SyntaxError)
})
