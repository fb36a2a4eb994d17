import { expect, test } from 'vitest'
import { parseMilliseconds } from './duration.ts'

test('parses the durations of NodePools, and returns undefined for other values', () => {
  expect(['6m', '1h30m', '15s', '0s', '1.5h', 'Never', '', undefined, '5'].map(parseMilliseconds)).toEqual([
    360_000,
    5_400_000,
    15_000,
    0,
    5_400_000,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
