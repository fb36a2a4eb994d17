import { expect, test } from 'vitest'
import { parseRequestTarget, requestUrl } from './request-target.ts'

test.each([
  ['/', '/'],
  ['/a%2fb?c=%2F', '/a%2fb?c=%2F'],
  ['//a/b', '//a/b'],
  // The absolute form (RFC 9112, 3.2.2), in which the path may be missing.
  ['http://a.test:80/b?c', '/b?c'],
  ['HTTPS://a.test/b', '/b'],
  ['svn+ssh://a.test/b', '/b'],
  ['http://a.test', '/'],
  ['http://a.test?b', '/?b'],
  ['*', undefined],
  ['a.test:80', undefined],
  ['http:///b', undefined],
  ['://a.test/b', undefined],
  ['9p://a.test/b', undefined],
  [' http://a.test/b', undefined],
  ['/a%', undefined],
  ['/a%4', undefined],
  ['/a%zz', undefined],
  ['/a%4g', undefined],
  ['/a%g4', undefined],
  ['/%41?b=%', undefined],
  ['http://a.test/%', undefined],
  [undefined, undefined],
])('the target %s is read as %s', (written, target) => {
  expect(parseRequestTarget(written)).toBe(target)
})

test('a target that starts with two slashes is not read as a host', () => {
  const { pathname, searchParams } = requestUrl('//evil.test/a?b=c')
  expect([pathname, searchParams.get('b')]).toEqual(['//evil.test/a', 'c'])
})
