import { karpenterKinds, kinds, type Pod } from '@kerf/apis'
import { node, nodeClaim, pod, readyNodeLabels } from '@kerf/testing'
import { expect, test } from 'vitest'
import { manualState } from '../testing/by-hand/manual-state.ts'

const GOING = '2026-01-01T00:00:00Z'

/** Creates a pod of one ReplicaSet. */
const member = (name: string, traits: { readonly nodeName?: string; readonly isLeaving?: boolean } = {}): Pod =>
  pod(name, {
    ...(traits.nodeName === undefined ? {} : { nodeName: traits.nodeName, phase: 'Running' }),
    metadata: {
      uid: name,
      ...(traits.isLeaving === true ? { deletionTimestamp: GOING } : {}),
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true }],
    },
  })

/** Creates a node `a` with the pod `old`, and a claim `next` that was created for that pod. */
const leaving = ({ isMarked = true } = {}) => {
  const { informers, state } = manualState()
  informers.put(karpenterKinds.NodeClaim, nodeClaim('next', { providerID: 'kwok://next' }))
  informers.put(kinds.Node, node('a', { pool: 'default', providerID: 'kwok://a', labels: readyNodeLabels }))
  informers.put(kinds.Pod, member('old', { nodeName: 'a' }))
  if (isMarked) state.markForDeletion('kwok://a')
  const taken: string[] = []
  state.onSuccession((pod, claim) => taken.push(`${pod.metadata.name} to ${claim}`))
  const target = (name: string): string | undefined => state.placements.decidedTarget(member(name))
  return { informers, state, target, taken }
}

test('the replacement of a pod on a leaving node is planned for that pod’s claim', () => {
  const { informers, state, target, taken } = leaving()
  state.assignToClaim(member('old', { nodeName: 'a' }), 'next')
  informers.put(kinds.Pod, member('old', { nodeName: 'a', isLeaving: true }))
  informers.put(kinds.Pod, member('new'), member('another'))
  informers.put(kinds.Pod, member('new'))
  expect([target('old'), target('new'), target('another')]).toEqual([undefined, 'next', undefined])
  expect(taken).toEqual(['new to next'])
})

test('the replacement gets the place even if both pods changed while the claim was being created', () => {
  const { informers, state, target, taken } = leaving()
  const planned = member('old', { nodeName: 'a' })
  informers.put(kinds.Pod, member('old', { nodeName: 'a', isLeaving: true }))
  informers.put(kinds.Pod, member('new'))
  expect(target('new')).toBeUndefined()
  state.assignToClaim(planned, 'next')
  expect([target('old'), target('new')]).toEqual([undefined, 'next'])
  expect(taken).toEqual(['new to next'])
})

test('the replacement gets the place even if the old pod was deleted before and the new pod appears later', () => {
  const { informers, state, target } = leaving()
  informers.delete(kinds.Pod, 'default/old')
  state.assignToClaim(member('old', { nodeName: 'a' }), 'next')
  informers.put(kinds.Pod, member('new'))
  expect([target('old'), target('new')]).toEqual([undefined, 'next'])
})

test('no pod is planned for a claim that is itself leaving', () => {
  const { informers, state, target } = leaving()
  state.assignToClaim(member('old', { nodeName: 'a' }), 'next')
  state.markForDeletion('kwok://next')
  informers.put(kinds.Pod, member('old', { nodeName: 'a', isLeaving: true }))
  informers.put(kinds.Pod, member('new'))
  expect(target('new')).toBeUndefined()
})

test('if a pod leaves a node that stays, its place is not kept', () => {
  const { informers, state, target, taken } = leaving({ isMarked: false })
  state.placements.assign(member('old', { nodeName: 'a' }), 'next')
  informers.put(kinds.Pod, member('old', { nodeName: 'a', isLeaving: true }))
  informers.delete(kinds.Pod, 'default/old')
  informers.put(kinds.Pod, member('new'))
  expect([target('old'), target('new')]).toEqual([undefined, undefined])
  expect(taken).toEqual([])
})

test('a pod that is bound at once does not use up a place', () => {
  const { informers, state, target } = leaving()
  state.assignToClaim(member('old', { nodeName: 'a' }), 'next')
  informers.put(kinds.Pod, member('old', { nodeName: 'a', isLeaving: true }))
  informers.put(kinds.Pod, member('bound', { nodeName: 'b' }))
  informers.put(kinds.Pod, member('new'))
  expect([target('bound'), target('new')]).toEqual([undefined, 'next'])
})
