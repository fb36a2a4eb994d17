import { describe, expect, test } from 'vitest'
import { ownField, ownValue, setOwnValue } from './own-value.ts'

const BUILT_IN = Object.getOwnPropertyNames(Object.prototype)

describe.each(BUILT_IN)('the key %s', (key) => {
  test('is absent if nobody has set it', () => {
    expect(ownValue({}, key)).toBeUndefined()
    expect(ownField({}, key)).toBeUndefined()
    expect(ownField([], key)).toBeUndefined()
  })

  test('can be set like any other key', () => {
    const map: Record<string, string> = {}
    setOwnValue(map, key, 'a')
    expect(ownValue(map, key)).toBe('a')
    expect(ownField(map, key)).toBe('a')
    expect(JSON.stringify(map)).toBe(`{${JSON.stringify(key)}:"a"}`)
    setOwnValue(map, key, 'b')
    expect(Object.entries(map)).toEqual([[key, 'b']])
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype)
  })
})

test('a value that is not an object has no fields', () => {
  expect([ownValue<string>(undefined, 'a'), ownValue<string>(null, 'a')]).toEqual([undefined, undefined])
  expect([undefined, null, 'text', 1].map((value) => ownField(value, 'length'))).toEqual(Array(4).fill(undefined))
})
