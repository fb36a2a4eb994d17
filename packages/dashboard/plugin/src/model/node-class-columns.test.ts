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

test('a list shows for each item the first field with a value', () => {
  const images = column([['status', 'images']], { itemFields: ['name', 'id'] })
  const status = { images: [{ id: 'i-1', name: 'linux-x86' }, { id: 'i-2' }] }
  expect(columnText(images, { status })).toBe('linux-x86, i-2')
})

test('the value of the first path counts, and a missing value is empty', () => {
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
  // The API server accepts any operator.
  [
    'an operator that selects nothing',
    { matchExpressions: [{ key: 'tier', operator: 'Near', values: ['a'] }] },
    'tier Near (a)',
  ],
  ['no selector', undefined, ''],
  ['an empty selector', { matchLabels: {}, matchExpressions: [] }, ''],
  ['a value of another type', 'x', ''],
])('a label selector is shown in the format of kubectl: %s', (_, selector, text) => {
  const selected = column([['spec', 'selector']], { isLabelSelector: true })
  expect(columnText(selected, { spec: { selector } })).toBe(text)
})

test('each kind of node class is listed once', () => {
  const names = displayedKinds.map(({ group, kind }) => `${kind}.${group}`)
  expect(names).toEqual([...new Set(names)])
})

/** The limit for four columns next to the sidebar at a width of 1024 (`locales.test.ts`). */
const MOST_IN_A_COLUMN = 24

test('the titles of columns fit, in every language', () => {
  const titles = displayedKinds.flatMap(({ columns = [] }) => columns.flatMap(({ title }) => Object.values(title)))
  expect(titles.filter((title) => title === '' || title.length > MOST_IN_A_COLUMN)).toEqual([])
})
