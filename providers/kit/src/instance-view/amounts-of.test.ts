import { expect, test } from 'vitest'
import { amountsOf } from './amounts-of.ts'

test('amounts are texts, also those that a Node shows as numbers; an object without any has none', () => {
  expect(amountsOf({ cpu: 4, memory: '8Gi' })).toEqual({ cpu: '4', memory: '8Gi' })
  expect(amountsOf(undefined)).toEqual({})
})
