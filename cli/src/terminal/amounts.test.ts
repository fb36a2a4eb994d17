import { expect, test } from 'vitest'
import { cores, counted, gibibytes } from './amounts.ts'

test('one unit whatever the amount was written in', () => {
  expect(['7500m', '3', undefined, '0'].map(cores)).toEqual(['7.50', '3.00', '-', '-'])
  expect(['9472Mi', '18Gi', '1G', '1Mi', undefined].map(gibibytes)).toEqual(['9.3Gi', '18.0Gi', '0.9Gi', '0.1Gi', '-'])
})

test('one of a thing, several things', () => {
  expect([0, 1, 2].map((count) => counted(count, 'pod'))).toEqual(['0 pods', '1 pod', '2 pods'])
})
