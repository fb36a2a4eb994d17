import { blockerSentence } from '@kerf/engine'
import { expect, test } from 'vitest'
import { joinNodes, nodeAndClaim } from './node-join.ts'
import { objectBlockers } from './object-blockers.ts'

const guarded = { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }
const pod = (name: string, metadata: object = {}, status: object = { phase: 'Running' }) => ({
  metadata: { name, namespace: 'shop', labels: { app: name }, ...metadata },
  spec: { nodeName: 'n' },
  status,
})
const budget = (name: string, app: string, disruptionsAllowed: number, namespace = 'shop') => ({
  metadata: { name, namespace },
  spec: { selector: { matchLabels: { app } } },
  status: { disruptionsAllowed },
})
const of = (more: Partial<Parameters<typeof objectBlockers>[0]>): readonly string[] =>
  objectBlockers(
    { node: 'n', claim: 'c', nodes: [], claims: [], pods: [], budgets: [], pools: [], counts: new Map(), ...more },
    0,
  ).map(blockerSentence)

test('a node is kept if it or its claim has the annotation', () => {
  expect(of({ nodes: [{ metadata: { name: 'n', ...guarded } }] })).toHaveLength(1)
  expect(of({ claims: [{ metadata: { name: 'c', ...guarded }, status: { nodeName: 'n' } }] })).toHaveLength(1)
  expect(of({ nodes: [{ metadata: { name: 'other', ...guarded } }] })).toEqual([])
})

test('names pods that must not be disrupted and budgets that allow no eviction, which both keep a node', () => {
  const pods = [
    pod('web'),
    pod('free'),
    pod('stays', guarded),
    pod('done', guarded, { phase: 'Succeeded' }),
    pod('daemon', { ...guarded, ownerReferences: [{ kind: 'DaemonSet', name: 'd' }] }),
  ]
  const budgets = [budget('tight', 'web', 0), budget('loose', 'free', 1), budget('elsewhere', 'free', 0, 'lab')]
  expect(of({ pods, budgets })).toEqual([
    'pdb prevents pod evictions (PodDisruptionBudget=[shop/tight])',
    'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=shop/stays)',
  ])
  expect(of({ pods: [pod('web')], budgets: [budget('a', 'web', 3), budget('b', 'web', 3)] })).toHaveLength(1)
})

test('a NodeClaim has the blockers of its Node, which has another name', () => {
  const claims = [{ metadata: { name: 'general-x', uid: 'u' }, status: { providerID: 'p' } }]
  const nodes = [{ metadata: { name: 'ip-1', ...guarded }, spec: { providerID: 'p' } }]
  const pods = [{ ...pod('stays', guarded), spec: { nodeName: 'ip-1' } }]
  const join = joinNodes(claims, nodes)
  for (const names of [nodeAndClaim('NodeClaim', 'general-x', join), nodeAndClaim('Node', 'ip-1', join)]) {
    expect(names).toEqual({ node: 'ip-1', claim: 'general-x' })
    expect(of({ ...names, nodes, claims, pods })).toHaveLength(2)
  }
})

test('a NodeClaim without a Node is kept by its own annotation only, and not by pods without a node', () => {
  const names = nodeAndClaim('NodeClaim', 'c', joinNodes([], []))
  const claims = [{ metadata: { name: 'c', ...guarded } }]
  const pods = [{ ...pod('stays', guarded), spec: {} }]
  expect(of({ ...names, claims, pods })).toHaveLength(1)
})

test('the only blocker of a deleted node is its deletion', () => {
  const nodes = [{ metadata: { name: 'n', ...guarded, deletionTimestamp: '2026-01-01T00:00:00Z' } }]
  expect(of({ nodes })).toEqual(['node is deleting or marked for deletion'])
})

test('budgets of its NodePool block a node for the reasons for which they allow no disruption', () => {
  const labels = { 'karpenter.sh/nodepool': 'general' }
  const nodes = [{ metadata: { name: 'n', labels } }]
  const counts = new Map([['general', { total: 4, disrupting: 1 }]])
  const pools = (nodesAllowed: string, reasons?: readonly string[]) => [
    {
      metadata: { name: 'general' },
      spec: { disruption: { budgets: [{ nodes: nodesAllowed, ...(reasons === undefined ? {} : { reasons }) }] } },
    },
  ]
  expect(of({ nodes, counts, pools: pools('0') })).toHaveLength(3)
  expect(of({ nodes, counts, pools: pools('0', ['Drifted']) })).toEqual([
    'budget of NodePool "general" allows 0 for Drifted, and 1 are disrupted or not ready',
  ])
  expect(of({ nodes, counts, pools: pools('1') })).toHaveLength(3)
  expect(of({ nodes, counts, pools: pools('2') })).toEqual([])
  // If the counts of a pool are unknown, its budgets are not reported as blockers.
  expect(of({ nodes, counts: new Map(), pools: pools('0') })).toEqual([])
})
