import { expect, test } from 'vitest'
import { GoPatternError, goMatches, goPattern } from './go-pattern.ts'

// re2js has its own tests. These are the cases in which JavaScript's regular expressions behave differently from Go's. Each result was
// checked with Go's regexp package.
test.each([
  ['a.b', 'a\rb', true],
  ['a.b', 'a\nb', false],
  ['a$', 'a\n', false],
  ['^\\s$', '\u00a0', false],
  ['^[[:alpha:]-]+$', 'a-b', true],
  ['^[]a]+$', ']a', true],
  ['\\Aweb\\z', 'web', true],
  ['^(?P<size>large|small)$', 'small', true],
  ['^a(?i)b|c$', 'C', true],
  ['(?i)(?-i:S)pot', 'spot', false],
  ['^\\Qa.b\\E$', 'axb', false],
  ['^a{,2}$', 'a{,2}', true],
  ['spot', 'web-spot-1', true],
])('pattern %s matches %j: %s', (pattern, text, expected) => {
  expect(goPattern(pattern).test(text)).toBe(expected)
})

test.each([
  ['(?=spot)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
])('Go refuses %s', (pattern, reason) => {
  expect(() => goPattern(pattern)).toThrow(new GoPatternError(`error parsing regexp: ${reason}`))
})

test('an empty match next to a match does not count', () => {
  expect(goMatches('a*', 'baaac')).toEqual(['', 'aaa', ''])
  expect(goMatches('a*', 'baaac', 2)).toEqual(['', 'aaa'])
  expect(goMatches('x', 'a')).toEqual([])
})
