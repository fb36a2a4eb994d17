import { expect, test } from 'vitest'
import { isMeantBy } from './offering-pattern.ts'

const offering = { capacityType: 'spot', instanceType: 'small', zone: 'a' }

test.each([
  [{}, true],
  [{ zone: 'a' }, true],
  [{ capacityType: 'spot', instanceType: 'small' }, true],
  [offering, true],
  [{ zone: 'b' }, false],
  [{ ...offering, capacityType: 'on-demand' }, false],
  [{ instanceType: 'large', zone: 'a' }, false],
])('%j matches: %s', (pattern, expected) => {
  expect(isMeantBy(pattern, offering)).toBe(expected)
})
