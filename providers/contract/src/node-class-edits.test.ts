import type { KubeObject } from '@kerf/apis'
import { expect, test } from 'vitest'
import { nodeClassEdits } from './node-class-edits.ts'

interface NodeClass extends KubeObject {
  readonly spec: { readonly image?: string; readonly disk?: number; readonly delay?: string }
}

const nodeClass = (spec: NodeClass['spec']): NodeClass => ({
  apiVersion: 'example.com/v1',
  kind: 'NodeClass',
  metadata: { name: 'default' },
  spec,
})

const descriptor = {
  hash: { version: 'v1', of: ({ spec }: NodeClass): string => `${spec.disk}` },
  selectors: ['image'],
}

test('an edit of a hashed field causes drift, an edit of a selector may cause drift, and other edits cause none', () => {
  const before = nodeClass({ image: 'a', disk: 1, delay: '1s' })
  const after = nodeClass({ image: 'b', disk: 2, delay: '2s' })
  expect(nodeClassEdits(descriptor, before, after)).toEqual([
    { field: 'delay', effect: 'none' },
    { field: 'disk', effect: 'drift' },
    { field: 'image', effect: 'may-drift' },
  ])
})

test('an edit of a field with a selector inside may cause drift', () => {
  const nested = { ...descriptor, selectors: ['delay.from'] }
  expect(nodeClassEdits(nested, nodeClass({ delay: '1s' }), nodeClass({ delay: '2s' }))).toEqual([
    { field: 'delay', effect: 'may-drift' },
  ])
})

test('adding or removing a field is an edit; setting the same value is not', () => {
  expect(nodeClassEdits(descriptor, nodeClass({ disk: 1 }), nodeClass({ delay: '1s' }))).toEqual([
    { field: 'delay', effect: 'none' },
    { field: 'disk', effect: 'drift' },
  ])
  expect(nodeClassEdits(descriptor, nodeClass({ disk: 1 }), nodeClass({ disk: 1 }))).toEqual([])
})

test('no edit causes drift if classes have no hash', () => {
  const edits = nodeClassEdits({ selectors: [] }, nodeClass({ disk: 1 }), nodeClass({ disk: 2 }))
  expect(edits).toEqual([{ field: 'disk', effect: 'none' }])
})
