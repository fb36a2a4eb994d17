import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FitKeys } from './fit-keys.ts'

const WIDTH = 3

test('requests have equal keys exactly if they fit the same rows, and a key determines those rows', () => {
  // More than ten rows, so that ranks have one or two digits.
  const amount = fc.integer({ min: 0, max: 14 })
  const vector = fc.tuple(amount, amount, amount)
  fc.assert(
    fc.property(
      fc.array(vector, { minLength: 12, maxLength: 40 }),
      fc.array(vector, { minLength: 20, maxLength: 60 }),
      (rows, requests) => {
        const keys = new FitKeys({ width: WIDTH, rows: Float64Array.from(rows.flat()) })
        const fits = (used: readonly number[]): readonly number[] =>
          rows.flatMap((row, nth) => (row.every((value, column) => value >= (used[column] ?? 0)) ? [nth] : []))
        const keyByRows = new Map<string, number>()
        for (const used of requests) {
          const expected = fits(used)
          const key = keys.of(Float64Array.from(used))
          const bits = keys.rows(key)
          expect(rows.flatMap((_, nth) => ((((bits[nth >>> 5] ?? 0) >>> (nth & 31)) & 1) === 1 ? [nth] : []))).toEqual(
            expected,
          )
          const known = keyByRows.get(expected.join())
          if (known === undefined) keyByRows.set(expected.join(), key)
          else expect(key).toBe(known)
        }
        expect(new Set(keyByRows.values()).size).toBe(keyByRows.size)
      },
    ),
    { numRuns: 60 },
  )
})
