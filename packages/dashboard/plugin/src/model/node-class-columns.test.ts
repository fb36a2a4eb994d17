import type { NodeClassColumn } from '@kerf/provider-contract/dashboard'
import { expect, test } from 'vitest'
import { displayedKinds } from './generated/displayed-kinds.ts'
import { columnText } from './node-class-columns.ts'

const column = (paths: NodeClassColumn['paths'], more: Partial<NodeClassColumn> = {}): NodeClassColumn => ({
  id: 'c',
  title: { en: 'C', uk: 'C', zh: 'C' },
  paths,
  ...more,
})

test('for each item of a list, shows the first field that has a value', () => {
  const images = column([['status', 'images']], { itemFields: ['name', 'id'] })
  const status = { images: [{ id: 'i-1', name: 'linux-x86' }, { id: 'i-2' }] }
  expect(columnText(images, { status })).toBe('linux-x86, i-2')
})

test('shows the text of a later path if the list of an earlier path is empty', () => {
  const images = column(
    [
      ['status', 'images'],
      ['spec', 'imageId'],
    ],
    { itemFields: ['displayName', 'imageId'] },
  )
  expect(columnText(images, { spec: { imageId: 'i-1' }, status: { images: [] } })).toBe('i-1')
  expect(columnText(images, { spec: { imageId: 'i-1' }, status: { images: [{ imageId: 'i-2' }] } })).toBe('i-2')
})

test('shows a number, as in a map of quantities', () => {
  const zones = column([['status', 'resources', 'zones']])
  expect([3, '3'].map((count) => columnText(zones, { status: { resources: { zones: count } } }))).toEqual(['3', '3'])
})

test('uses the first path that has a value, and shows a missing value as empty text', () => {
  const profile = column([
    ['status', 'profile'],
    ['spec', 'profile'],
  ])
  expect(columnText(profile, { spec: { profile: 'given' }, status: { profile: 'made' } })).toBe('made')
  expect(columnText(profile, { spec: { profile: 'given' } })).toBe('given')
  expect(columnText(profile, {})).toBe('')
})

test.each<[string, unknown, string]>([
  ['labels', { matchLabels: { team: 'x', 'example.com/member': '' } }, 'team=x, example.com/member='],
  [
    'expressions after them',
    {
      matchLabels: { team: 'x' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'tier', operator: 'NotIn', values: ['c'] },
        { key: 'gpu', operator: 'Exists' },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    },
    'team=x, tier in (a,b), tier notin (c), gpu, !old',
  ],
  // The API server accepts any operator in this field.
  [
    'an operator that selects nothing',
    { matchExpressions: [{ key: 'tier', operator: 'Near', values: ['a'] }] },
    'tier Near (a)',
  ],
  ['no selector', undefined, ''],
  ['an empty selector', { matchLabels: {}, matchExpressions: [] }, ''],
  ['a value of another type', 'x', ''],
])('shows a label selector in the format of kubectl: %s', (_, selector, text) => {
  const selected = column([['spec', 'selector']], { isLabelSelector: true })
  expect(columnText(selected, { spec: { selector } })).toBe(text)
})

test('each kind of node class is listed once', () => {
  const names = displayedKinds.map(({ group, kind }) => `${kind}.${group}`)
  expect(names).toEqual([...new Set(names)])
})

/**
 * Maximum number of characters in a title, so that four columns fit next to the sidebar in a window that is 1024
 * pixels wide (`locales.test.ts`).
 */
const MOST_IN_A_COLUMN = 24

test('column titles fit in every language', () => {
  const titles = displayedKinds.flatMap(({ columns = [] }) => columns.flatMap(({ title }) => Object.values(title)))
  expect(titles.filter((title) => title === '' || title.length > MOST_IN_A_COLUMN)).toEqual([])
})
