import { expect, test } from 'vitest'
import { GoRegexpError, goRegexp } from './go-regexp.ts'

// Pattern, text, and whether the pattern matches the text. Each result was checked with Go's regexp package.
const cases: readonly (readonly [string, string, boolean])[] = [
  ['^web-spot-ng-.*', 'web-spot-ng-0a1b', true],
  ['^web-spot-ng-.*', 'my-web-spot-ng-0a1b', false],
  ['(?i).*SPOT.*', 'web-spot-ng', true],
  ['.*SPOT.*', 'web-spot-ng', false],
  ['^(?i:SPOT)-A$', 'spot-A', true],
  ['^(?i:SPOT)-A$', 'spot-a', false],
  ['^a(?i)b|c$', 'C', true],
  ['(?i)(?-i:S)pot', 'SPOT', true],
  ['(?i)(?-i:S)pot', 'spot', false],
  ['(?i)[a-c]+$', 'ABC', true],
  ['(?P<size>large|small)', 'web-small', true],
  ['(?<size>large|small)', 'web-small', true],
  ['^[[:alpha:]]+-[[:digit:]]+$', 'web-12', true],
  ['^[[:alpha:]]+-[[:digit:]]+$', 'web-x', false],
  ['\\Aweb\\z', 'web', true],
  ['^\\Qa.b\\E$', 'a.b', true],
  ['^\\Qa.b\\E$', 'axb', false],
  ['a{2}$', 'baa', true],
  ['^a{,2}$', 'a{,2}', true],
  ['^[]a]$', ']', true],
  ['web\\-a_1', 'web-a_1', true],
  ['a.b', 'a\nb', false],
  ['(?s)a.b', 'a\nb', true],
  ['^b', 'a\nb', false],
  ['(?m)^b', 'a\nb', true],
  ['a$', 'a\nb', false],
  ['(?m)a$', 'a\nb', true],
]

test.each(cases)('%s on %s: %s', (pattern, text, isMatch) => {
  expect(goRegexp(pattern).test(text)).toBe(isMatch)
})

test.each(['(?=spot)', '(?!spot)', '(?<=spot)', '(a)\\1', '[a', '(a', 'a)', '*a', '[z-a]', '\\'])(
  'Go refuses %s',
  (pattern) => {
    expect(() => goRegexp(pattern)).toThrow(GoRegexpError)
  },
)
