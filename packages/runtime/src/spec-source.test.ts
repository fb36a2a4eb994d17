import { groupVersion, type KubeObject, karpenterKinds, type NodePool } from '@kerf/apis'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { FixedInformers } from './informers/fixed-informers.ts'
import { specSource } from './spec-source.ts'

const pool = nodePool('a')
const before: NodePool = {
  ...{ ...pool, apiVersion: groupVersion(karpenterKinds.NodePool), kind: 'NodePool' },
  metadata: { ...pool.metadata, uid: 'u', generation: 1, resourceVersion: '1', annotations: { hash: '1' } },
}
const { keysOf } = specSource(new FixedInformers([]).of(karpenterKinds.NodePool), ({ after }) => [
  after?.metadata.name ?? 'gone',
])
const woken = (metadata: Partial<KubeObject['metadata']>, from: NodePool = before) => [
  ...keysOf({
    before: from,
    after: { ...from, status: {}, metadata: { ...from.metadata, resourceVersion: '2', ...metadata } },
  }),
]

test('a change of only the status adds no key, but a change of spec, labels, annotations, deletion or identity does', () => {
  expect(woken({})).toEqual([])
  expect(woken({ annotations: { hash: '1' }, finalizers: ['x'] })).toEqual([])
  expect(woken({ generation: 2 })).toEqual(['a'])
  expect(woken({ labels: { a: 'b' } })).toEqual(['a'])
  expect(woken({ annotations: { hash: '2' } })).toEqual(['a'])
  expect(woken({ annotations: { other: '1' } })).toEqual(['a'])
  expect(woken({ annotations: {} })).toEqual(['a'])
  expect(woken({ deletionTimestamp: '2026-01-01T00:00:00Z' })).toEqual(['a'])
  expect(woken({ uid: 'another' })).toEqual(['a'])
  expect([...keysOf({ after: before })]).toEqual(['a'])
  expect([...keysOf({ before })]).toEqual(['gone'])
  const { generation: _, ...uncounted } = before.metadata
  expect(woken({}, { ...before, metadata: uncounted })).toEqual(['a'])
})
