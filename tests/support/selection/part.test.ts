import { expect, test } from 'vitest'
import { takePart } from './part.ts'

const seconds: Readonly<Record<string, number>> = { a: 90, b: 60, c: 50, d: 10, e: 10, f: 1 }
const files = Object.keys(seconds)
const cost = (file: string): number => seconds[file] ?? 0

test('each file is in exactly one part, and all parts take about the same time', () => {
  const parts = ['1/2', '2/2'].map((part) => takePart(part, files, cost).files)
  expect(parts.flat().toSorted()).toEqual(files)
  expect(parts.map((part) => part.reduce((sum, file) => sum + cost(file), 0))).toEqual([111, 110])
})

test.each(['3/2', '0/2', 'half', '1/'])('--part %s is refused, and the message shows a valid value', (part) => {
  expect(() => takePart(part, files, cost)).toThrow(
    `--part is "${part}": write it as K/N, for example 2/4 for the second of four parts`,
  )
})
