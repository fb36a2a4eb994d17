import { expect, test } from 'vitest'
import { servedNodeClassColumns } from './generated/node-class-kinds.ts'
import { columnText } from './node-class-columns.ts'

const shown = (object: unknown): readonly string[] =>
  servedNodeClassColumns['EC2NodeClass.karpenter.k8s.aws'].map((column) => columnText(column, object))

test('an EC2NodeClass shows its instance profile, its role and its images', () => {
  const status = { instanceProfile: 'demo_1', amis: [{ id: 'ami-1', name: 'al2023-x86' }, { id: 'ami-2' }] }
  expect(shown({ spec: { role: 'nodes' }, status })).toEqual(['demo_1', 'nodes', 'al2023-x86, ami-2'])
})

test('the profile of the spec is shown while the status has none, and what is missing is empty', () => {
  expect(shown({ spec: { instanceProfile: 'given' } })).toEqual(['given', '', ''])
})
