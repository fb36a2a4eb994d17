import { blockerSentence } from '@kerf/engine'
import { expect, test } from 'vitest'
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
  objectBlockers({ node: 'n', nodes: [], claims: [], pods: [], budgets: [], ...more }).map(blockerSentence)

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
