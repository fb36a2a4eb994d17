import { expect, test } from 'vitest'
import { filterInAddress, filtersOfAddress, isWanted, sortInAddress, sortOfAddress } from './table-address.ts'

test.each([
  ['', undefined],
  ['?pools-sort=', undefined],
  ['?other-sort=price', undefined],
  ['?pools-sort=price', { id: 'price', desc: false }],
  ['?p=2&pools-sort=-price', { id: 'price', desc: true }],
])('%s sorts by %o', (search, sort) => {
  expect(sortOfAddress(search, 'pools-')).toEqual(sort)
})

test.each([
  ['?p=2', '[{"id":"price","desc":true}]', '?p=2&pools-sort=-price'],
  ['?pools-sort=-price', '[{"id":"name","desc":false}]', '?pools-sort=name'],
  ['?pools-sort=-price', '[]', ''],
  ['?pools-sort=-price', null, ''],
  ['?pools-sort=-price', 'no JSON', '?pools-sort=-price'],
  ['?pools-sort=-price', '7', ''],
])('%s with the stored sorting %s becomes %s', (search, stored, address) => {
  expect(sortInAddress(search, 'pools-', stored)).toBe(address)
})

test('a written sorting is read back unchanged', () => {
  const search = sortInAddress('?p=2', 'pools-', '[{"id":"capacity-type","desc":true}]')
  expect(sortOfAddress(search, 'pools-')).toEqual({ id: 'capacity-type', desc: true })
})

test.each([
  ['', {}],
  ['?pools-status=', { status: [''] }],
  ['?claims-status=Ready', {}],
  ['?pools-other=1', {}],
  [
    '?p=2&pools-status=Ready&pools-status=NotReady&pools-zone=a&pools-zone=a',
    { status: ['Ready', 'NotReady'], zone: ['a'] },
  ],
])('%s filters by %o', (search, filters) => {
  expect(Object.fromEntries(filtersOfAddress(search, 'pools', ['status', 'zone']))).toEqual(filters)
})

test.each([
  ['?pools.p=3&poolssort=-price', ['a'], '?poolssort=-price&pools-zone=a'],
  ['?pools-zone=a&pools-zone=b', ['b'], '?pools-zone=b'],
  ['?pools-zone=a', [], ''],
])('%s filtered by %j becomes %s', (search, values, address) => {
  expect(filterInAddress(search, 'pools', 'zone', values)).toBe(address)
})

test('written filters and sorting are read back unchanged, for any values', () => {
  const values = ['a & b', 'c=d', '', 'ж']
  const filtered = filterInAddress('?pools.p=3', 'pools', 'zone', values)
  const search = sortInAddress(filtered, 'pools', '[{"id":"price","desc":true}]')
  expect(filtersOfAddress(search, 'pools', ['zone']).get('zone')).toEqual(values)
  expect(sortOfAddress(search, 'pools')).toEqual({ id: 'price', desc: true })
})

test('an object is shown if it has one of the selected values in each filtered column', () => {
  const filters = filtersOfAddress('?t-zone=a&t-zone=b&t-type=small', 't', ['zone', 'type'])
  const shown = [
    { zone: 'a', type: 'small' },
    { zone: 'b', type: 'small' },
    { zone: 'c', type: 'small' },
    { zone: 'a', type: 'large' },
  ].filter((object) => isWanted(filters, (column) => [object[column as keyof typeof object]]))
  expect(shown).toEqual([
    { zone: 'a', type: 'small' },
    { zone: 'b', type: 'small' },
  ])
})

test('an object with several values is shown for each of them', () => {
  const claim = { Drifted: ['Failed', 'Drifted'], Ready: ['Ready'] }
  const isShown = (wanted: string, values: readonly string[]) =>
    isWanted(filtersOfAddress(`?claims-status=${wanted}`, 'claims', ['status']), () => values)
  expect(isShown('Drifted', claim.Drifted)).toBe(true)
  expect(isShown('Failed', claim.Drifted)).toBe(true)
  expect(isShown('Drifted', claim.Ready)).toBe(false)
  expect(isShown('Drifted', [])).toBe(false)
})
