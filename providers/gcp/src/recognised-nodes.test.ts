import { expect, test } from 'vitest'
import { recognisedNodes } from './recognised-nodes.ts'

const POOL = { 'cloud.google.com/gke-nodepool': 'general' }

test.each([
  [{}, undefined, undefined],
  [POOL, 'on-demand', 'general'],
  [{ ...POOL, 'cloud.google.com/gke-spot': 'true' }, 'spot', 'general'],
  [{ ...POOL, 'cloud.google.com/gke-preemptible': 'true' }, 'spot', 'general'],
  [{ 'cloud.google.com/gke-provisioning': 'spot' }, 'spot', undefined],
  [{ 'cloud.google.com/gke-provisioning': 'standard' }, 'on-demand', undefined],
  [{ 'karpenter.sh/capacity-type': 'spot', 'cloud.google.com/gke-provisioning': 'standard' }, 'spot', undefined],
])('the labels %j mean the capacity type %s and the group %s', (labels, capacityType, group) => {
  expect(recognisedNodes.capacityTypeOf(labels)).toBe(capacityType)
  expect(recognisedNodes.groupOf(labels)).toBe(group)
})
