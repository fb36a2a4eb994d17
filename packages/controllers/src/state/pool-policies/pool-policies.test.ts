import { karpenterKinds, type NodePool, policyKinds } from '@kerf/apis'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { ManualInformers } from '../../testing/by-hand/manual-informers.ts'
import { PoolPolicies } from './pool-policies.ts'

// docs/spec/policies.md#nodepoolpolicy

const pool = nodePool('general')

const start = () => {
  const informers = new ManualInformers()
  informers.put(karpenterKinds.NodePool, pool)
  informers.put(policyKinds.NodePoolPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name: 'research' },
    spec: { targetSelector: { matchLabels: { team: 'research' } }, access: { schedulerNames: ['volcano'] } },
  })
  return { informers, policies: new PoolPolicies({ informers }, { markUnconsolidated: () => {} }) }
}

test.each<[string, NodePool, boolean]>([
  ['of its labels', { ...pool, metadata: { ...pool.metadata, labels: { team: 'research' } } }, true],
  ['to a static NodePool', { ...pool, spec: { ...pool.spec, replicas: 1 } }, false],
])('a change %s changes which policies apply to a NodePool', (_what, changed, hasAccess) => {
  const { informers, policies } = start()
  const before = policies.attached
  expect(policies.access).toBeUndefined()
  informers.put(karpenterKinds.NodePool, changed)
  expect(policies.attached).not.toBe(before)
  expect(policies.access?.has('general') === true).toBe(hasAccess)
})

test('a write of the status of a NodePool does not determine again which policies apply', () => {
  const { informers, policies } = start()
  const before = policies.attached
  informers.put(karpenterKinds.NodePool, { ...structuredClone(pool), status: { nodes: 3 } })
  expect(policies.attached).toBe(before)
})
