import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedKeys } from './sorted-keys.ts'

const key = fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom('a', 'b', 'c', '/', '0') })

test('contains the same keys as a plain set, in order, after any additions and removals', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), key)), key, key, (steps, from, to) => {
      const keys = new SortedKeys()
      const plain = new Set<string>()
      for (const [adds, one] of steps) {
        if (adds) {
          keys.add(one)
          plain.add(one)
        } else {
          keys.delete(one)
          plain.delete(one)
        }
      }
      const sorted = [...plain].sort()
      expect([...keys.between()]).toEqual(sorted)
      expect(keys.size).toBe(plain.size)
      expect([...keys.between(from, to)]).toEqual(sorted.filter((one) => one >= from && one < to))
    }),
  )
})

test('many keys, added in any order and removed from the front', () => {
  const keys = new SortedKeys()
  const name = (i: number): string => `k${String((i * 7919) % 20_000).padStart(5, '0')}`
  for (let i = 0; i < 20_000; i++) keys.add(name(i))
  expect(keys.size).toBe(20_000)
  const all = [...keys.between()]
  expect(all).toEqual(all.toSorted())
  for (const one of all.slice(0, 19_999)) keys.delete(one)
  expect([...keys.between()]).toEqual(['k19999'])
})
