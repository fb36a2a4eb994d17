import { expect, test } from 'vitest'
import { textAmounts } from './amounts-of.ts'

test('amounts become strings, even if a Node has numbers; an object without amounts has none', () => {
  expect(textAmounts({ cpu: 4, memory: '8Gi' })).toEqual({ cpu: '4', memory: '8Gi' })
  expect(textAmounts(undefined)).toEqual({})
})
