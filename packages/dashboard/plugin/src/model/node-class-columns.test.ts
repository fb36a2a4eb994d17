import { expect, test } from 'vitest'
import { servedNodeClassColumns } from './generated/node-class-kinds.ts'
import { columnText } from './node-class-columns.ts'
import { nodeClassKinds } from './node-class-kinds.ts'

const selected = (selector: unknown): readonly string[] =>
  servedNodeClassColumns['ClusterAPINodeClass.karpenter.cluster.x-k8s.io'].map((column) =>
    columnText(column, { spec: { scalableResourceSelector: selector } }),
  )

const shown = (object: unknown): readonly string[] =>
  servedNodeClassColumns['EC2NodeClass.karpenter.k8s.aws'].map((column) => columnText(column, object))

test('an EC2NodeClass shows its instance profile, its role and its images', () => {
  const status = { instanceProfile: 'demo_1', amis: [{ id: 'ami-1', name: 'al2023-x86' }, { id: 'ami-2' }] }
  expect(shown({ spec: { role: 'nodes' }, status })).toEqual(['demo_1', 'nodes', 'al2023-x86, ami-2', '', ''])
})

test('the profile of the spec is shown while the status has none, and missing values are empty', () => {
  expect(shown({ spec: { instanceProfile: 'given' } })).toEqual(['given', '', '', '', ''])
})

test.each<[string, unknown, string]>([
  [
    'labels',
    { matchLabels: { team: 'x', 'node.cluster.x-k8s.io/karpenter-member': '' } },
    'team=x, node.cluster.x-k8s.io/karpenter-member=',
  ],
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
])('a ClusterAPINodeClass shows what it selects: %s', (_, selector, text) => {
  expect(selected(selector)).toEqual([text])
})

test('each kind of node class is listed once', () => {
  const names = nodeClassKinds.map(({ group, kind }) => `${kind}.${group}`)
  expect(names).toEqual([...new Set(names)])
})
