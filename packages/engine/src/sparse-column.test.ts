import { expect, test } from 'vitest'
import { SparseColumn } from './sparse-column.ts'

test('numbers that were set have a value, and others have none', () => {
  const column = new SparseColumn<string>(130)
  for (const number of [0, 63, 64, 129]) column.set(number, `${number}`)
  column.set(64, 'again')
  const values = Array.from({ length: 130 }, (_, number) => column.get(number))
  expect(values.flatMap((value, number) => (value === undefined ? [] : [[number, value]]))).toEqual([
    [0, '0'],
    [63, '63'],
    [64, 'again'],
    [129, '129'],
  ])
})
