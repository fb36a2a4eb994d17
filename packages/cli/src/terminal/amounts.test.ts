import { expect, test } from 'vitest'
import { cores, counted, gibibytes } from './amounts.ts'

test('converts every amount to the same unit', () => {
  expect(['7500m', '3', undefined, '0'].map(cores)).toEqual(['7.50', '3.00', '-', '-'])
  expect(['9472Mi', '18Gi', '1G', '1Mi', undefined].map(gibibytes)).toEqual(['9.3Gi', '18.0Gi', '0.9Gi', '0.1Gi', '-'])
})

test('uses the singular for one and the plural for other counts', () => {
  expect([0, 1, 2].map((count) => counted(count, 'pod'))).toEqual(['0 pods', '1 pod', '2 pods'])
})
