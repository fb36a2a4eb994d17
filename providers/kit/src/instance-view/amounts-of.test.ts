import { expect, test } from 'vitest'
import { amountsOf } from './amounts-of.ts'

test('amounts become strings, even if a Node has numbers; an object without amounts has none', () => {
  expect(amountsOf({ cpu: 4, memory: '8Gi' })).toEqual({ cpu: '4', memory: '8Gi' })
  expect(amountsOf(undefined)).toEqual({})
})
