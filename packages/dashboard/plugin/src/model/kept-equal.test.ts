import { expect, test } from 'vitest'
import { keptEqual } from './kept-equal.ts'

test('an equal value is the earlier one, however it is nested', () => {
  const before = { rows: [{ name: 'a', counts: new Map([['spot', { count: 1 }]]) }, { name: 'b' }], total: 1 }
  expect(keptEqual(before, structuredClone(before))).toBe(before)
})

test('a changed part is new, and all other parts are the earlier ones', () => {
  const before = [
    { name: 'a', of: [1, 2] },
    { name: 'b', of: [3] },
    new Map([
      ['x', { n: 1 }],
      ['y', { n: 2 }],
    ]),
  ] as const
  const wanted = [
    { name: 'a', of: [1, 2] },
    { name: 'b', of: [4] },
    new Map([
      ['x', { n: 1 }],
      ['y', { n: 3 }],
    ]),
  ] as const
  const now = keptEqual(before, wanted)
  expect(now).toEqual(wanted)
  expect(now[0]).toBe(before[0])
  expect(now[1]).not.toBe(before[1])
  expect(now[2].get('x')).toBe(before[2].get('x'))
})

test.each([
  ['an item is added', [1], [1, 2]],
  ['an item is removed', [1, 2], [1]],
  ['a field is added', { a: 1 }, { a: 1, b: undefined }],
  ['a field is removed', { a: 1, b: undefined }, { a: 1 }],
  ['a field has another name', { a: undefined }, { b: undefined }],
  ['a list becomes an object', [1], { 0: 1 }],
  [
    'an entry of a map is removed',
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
    new Map([['a', 1]]),
  ],
  ['a map becomes an object', new Map([['a', 1]]), { a: 1 }],
  ['a value becomes null', { a: {} }, { a: null }],
])('is the new value if %s', (_what, before, now) => {
  expect(keptEqual(before, now)).toEqual(now)
  expect(keptEqual(before, now)).not.toBe(before)
})

test('objects of the cluster are never made of parts of two objects', () => {
  const before = { object: { metadata: { name: 'a', resourceVersion: '1' }, spec: { x: 1 } } }
  const now = { object: { metadata: { name: 'a', resourceVersion: '2' }, spec: { x: 1 } } }
  expect(keptEqual(before, now).object).toBe(now.object)
})
