import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeAudit } from './observed-audit.ts'

const OBSERVER = 'kerf-that-observes'
/** One line for each kind of request in a run of `npm run lab:observe`, without fields that the test does not need. */
const recorded = readFileSync(new URL('./recorded-audit.jsonl', import.meta.url), 'utf8')

const line = (verb: string, objectRef: object, requestObject: object = {}): string =>
  `${JSON.stringify({ verb, user: { username: OBSERVER }, objectRef, requestObject, responseStatus: { code: 200 } })}\n`

test('a run in which Kerf wrote only its Lease, Events and its ConfigMap is accepted', () => {
  const verdict = judgeAudit(recorded, OBSERVER)
  expect(verdict.violations).toEqual([])
  expect(verdict.reads).toBe(26)
  expect(verdict.writesOfOthers).toBe(12)
  expect(verdict.writes).toEqual({
    'create configmaps default/kerf-observed-decisions': 1,
    'create events': 2,
    'create leases.coordination.k8s.io kube-system/kerf-observe': 1,
    'patch configmaps default/kerf-observed-decisions': 1,
    'patch events': 1,
    'update leases.coordination.k8s.io kube-system/kerf-observe': 1,
  })
})

test.each([
  [
    'a status',
    line('patch', { resource: 'nodepools', apiGroup: 'karpenter.sh', subresource: 'status', name: 'default' }),
  ],
  ['a finalizer or a label', line('patch', { resource: 'nodes', name: 'a' })],
  ['a NodeClaim', line('create', { resource: 'nodeclaims', apiGroup: 'karpenter.sh' })],
  ['an eviction', line('create', { resource: 'pods', subresource: 'eviction', name: 'a', namespace: 'default' })],
  ['another ConfigMap', line('patch', { resource: 'configmaps', name: 'other' })],
  [
    'another Lease',
    line('update', { resource: 'leases', apiGroup: 'coordination.k8s.io', name: 'karpenter-leader-election' }),
  ],
  ['a deletion of its own ConfigMap', line('delete', { resource: 'configmaps', name: 'kerf-observed-decisions' })],
  [
    'an Event with the source of another',
    line('create', { resource: 'events', name: 'e' }, { source: { component: 'karpenter' } }),
  ],
  ['an Event that another created', line('patch', { resource: 'events', name: 'e' })],
])('%s is a violation', (_what, written) => {
  expect(judgeAudit(recorded + written, OBSERVER).violations).toHaveLength(1)
})
