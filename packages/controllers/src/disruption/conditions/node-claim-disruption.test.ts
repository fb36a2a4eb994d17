import { annotations, karpenterKinds, labels, type NodeClaim, type NodePool } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodeClaim, nodeClassRef, nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { nodeClaimDisruption } from './node-claim-disruption.ts'

const claim = (name: string, pool: string, nodeClass = 'default'): NodeClaim =>
  nodeClaim(name, { pool, spec: { nodeClassRef: { ...nodeClassRef, name: nodeClass } } })
const pool = (name: string, metadata: Partial<NodePool['metadata']> = {}): NodePool => {
  const made = nodePool(name)
  return { ...made, metadata: { ...made.metadata, ...metadata } }
}
const nodeClass = (name: string) => kwokNodeClass(name)

/**
 * Creates claims of two pools and two node classes. `after` makes a change and returns the claims that the controller reconciles because of
 * it.
 */
const start = () => {
  const { informers, deps } = manualState()
  const controller = nodeClaimDisruption(deps)
  const { NodeClaim: claims, NodePool: pools } = karpenterKinds
  informers.put(pools, pool('one'), pool('two'))
  informers.put(claims, claim('a', 'one'), claim('b', 'one', 'other'), claim('c', 'two'))
  const woken: string[] = []
  for (const { informer, keysOf } of controller.sources)
    informer.onChange((change) => void woken.push(...keysOf(change)))
  const after = (change: () => void): readonly string[] => {
    woken.splice(0)
    change()
    return woken.splice(0).sort()
  }
  return { informers, after, pools, claims, classes: kwokNodeClassKind }
}

test('a changed claim is reconciled, a deleted claim is not', () => {
  const { informers, after, claims } = start()
  expect(after(() => informers.put(claims, claim('a', 'one')))).toEqual(['a'])
  expect(after(() => informers.delete(claims, 'a'))).toEqual([])
})

test.each<[string, Partial<NodePool['metadata']>, readonly string[]]>([
  ['spec', { generation: 2 }, ['a', 'b']],
  ['hash', { annotations: { [annotations.nodePoolHash]: 'h' } }, ['a', 'b']],
  ['hash version', { annotations: { [annotations.nodePoolHashVersion]: 'v4' } }, ['a', 'b']],
  ['UID', { uid: 'another' }, ['a', 'b']],
  ['status, labels or version', { labels: { [labels.zone]: 'a' }, resourceVersion: '9' }, []],
])(
  'a change of the pool’s %s reconciles only its own claims, or none if it cannot affect them',
  (_name, metadata, expected) => {
    const { informers, after, pools } = start()
    expect(after(() => informers.put(pools, pool('one', metadata)))).toEqual(expected)
  },
)

test('claims of a deleted pool are reconciled', () => {
  const { informers, after, pools } = start()
  expect(after(() => informers.delete(pools, 'two'))).toEqual(['c'])
})

test('a node class that is created, changed or deleted triggers the claims that refer to it', () => {
  const { informers, after, classes } = start()
  expect(after(() => informers.put(classes, nodeClass('default')))).toEqual(['a', 'c'])
  expect(after(() => informers.put(classes, nodeClass('default')))).toEqual(['a', 'c'])
  expect(after(() => informers.put(classes, nodeClass('nobody’s')))).toEqual([])
  expect(after(() => informers.delete(classes, 'default'))).toEqual(['a', 'c'])
})
