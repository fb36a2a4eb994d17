import type { ClusterSnapshot, Plan } from '@kerf/engine'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { expectedUid } from './expected-pod.ts'
import { targetsOfPlan } from './plan-targets.ts'

const existing = pod('web-1')
const expected = pod('web-2', { metadata: { uid: expectedUid('web', 'web-2') } })
const snapshot = { nodes: [{ name: 'node', nodeClaim: 'ahead' }] } as unknown as ClusterSnapshot

/** Returns whether an existing pod is planned for the NodeClaim `ahead`. The pod `web-1` has a place there before the plan. */
const isPlanned = (plan: object): boolean =>
  targetsOfPlan({ claims: [], placements: [], ...plan } as unknown as Plan, snapshot, {
    placements: { to: (target: string) => (target === 'ahead' ? [{ uid: existing.metadata.uid }] : []) },
  } as never)('ahead')

test.each([
  ['keeps its place', true, { placements: [{ node: 'node', pods: [existing] }] }],
  ['is not in the plan and keeps its place', true, {}],
  ['moves to a new NodeClaim', false, { claims: [{ pods: [existing] }] }],
  [
    'moves to a new NodeClaim, and an expected pod takes its place',
    false,
    { claims: [{ pods: [existing] }], placements: [{ node: 'node', pods: [expected] }] },
  ],
])('if the pod of a node that was launched ahead %s, whether a pod is planned for the node: %s', (_, needed, plan) => {
  expect(isPlanned(plan)).toBe(needed)
})
