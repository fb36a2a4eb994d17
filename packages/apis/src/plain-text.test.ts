import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each<[unknown, string]>([
  ['a', 'a'],
  [1.5, '1.5'],
  [null, 'null'],
  [undefined, 'undefined'],
  [['a', 1], '["a",1]'],
  [{ toString: 'a', valueOf: 'b' }, '{"toString":"a","valueOf":"b"}'],
])('%j', (value, text) => expect(plainText(value)).toBe(text))
