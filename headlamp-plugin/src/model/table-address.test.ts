import { expect, test } from 'vitest'
import { sortInAddress, sortOfAddress } from './table-address.ts'

test.each([
  ['', undefined],
  ['?pools-sort=', undefined],
  ['?other-sort=price', undefined],
  ['?pools-sort=price', { id: 'price', desc: false }],
  ['?p=2&pools-sort=-price', { id: 'price', desc: true }],
])('%s asks for %o', (search, sort) => {
  expect(sortOfAddress(search, 'pools-')).toEqual(sort)
})

test.each([
  ['?p=2', '[{"id":"price","desc":true}]', '?p=2&pools-sort=-price'],
  ['?pools-sort=-price', '[{"id":"name","desc":false}]', '?pools-sort=name'],
  ['?pools-sort=-price', '[]', ''],
  ['?pools-sort=-price', null, ''],
  ['?pools-sort=-price', 'no JSON', '?pools-sort=-price'],
  ['?pools-sort=-price', '7', ''],
])('%s with what is stored, %s, becomes %s', (search, stored, address) => {
  expect(sortInAddress(search, 'pools-', stored)).toBe(address)
})

test('what is written is what is read', () => {
  const search = sortInAddress('?p=2', 'pools-', '[{"id":"capacity-type","desc":true}]')
  expect(sortOfAddress(search, 'pools-')).toEqual({ id: 'capacity-type', desc: true })
})
