import { annotations, karpenterKinds, kinds, labels, type Node, type PodDisruptionBudget } from '@kerf/apis'
import { condition, node, nodeClaim, nodePool, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { PodDisruptionBudgets } from '../../pod/pod-disruption-budgets.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import type { Assessment } from '../candidates/assessment.ts'
import type { PoolTypes } from '../candidates/offered-types.ts'
import { PassCache } from './pass-cache.ts'

const ID = 'sim:///a/i-1'
const MINUTE = 60_000

const budget: PodDisruptionBudget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'keep', namespace: 'default' },
  spec: { selector: {}, maxUnavailable: 0 },
  status: { disruptionsAllowed: 0 },
}
const offer = (): PoolTypes => ({ pool: nodePool('general'), list: [], byName: new Map() })
const claim = nodeClaim('c', { pool: 'general', providerID: ID, conditions: [condition('Initialized')] })
const bare = node('n', { pool: 'general', providerID: ID })
const machine: Node = {
  ...bare,
  metadata: {
    ...bare.metadata,
    labels: { ...bare.metadata.labels, [labels.registered]: 'true', [labels.initialized]: 'true' },
  },
}

/** Creates an initialized node of a pool, and a function that assesses it. */
const start = () => {
  const { informers, state, clock } = manualState()
  const queued = new Set<string>()
  const cache = new PassCache()
  const deps = {
    state,
    budgets: new PodDisruptionBudgets(informers),
    nodeOverheadCost: 0,
    isQueued: (providerID: string) => queued.has(providerID),
  }
  informers.put(karpenterKinds.NodeClaim, claim)
  informers.put(kinds.Node, machine)
  informers.put(kinds.Pod, pod('web', { nodeName: 'n' }))
  const harness = { informers, state, clock, queued, types: new Map([['general', offer()]]) }
  const look = (): Assessment => {
    const seen = state.byProviderID(ID)
    if (seen === undefined) throw new Error('there is no node')
    return cache.assessment(seen, harness.types, deps, clock.now())
  }
  return { ...harness, harness, look }
}

const codes = ({ blockers }: Assessment): readonly string[] => blockers.map(({ code }) => code)

test('an unchanged node is assessed once, even if other nodes change', () => {
  const { informers, look } = start()
  const first = look()
  expect(codes(first)).toEqual([])
  expect(first.candidate?.reschedulable).toHaveLength(1)
  informers.put(kinds.Node, node('other', { providerID: 'sim:///a/i-2' }))
  informers.put(kinds.Pod, pod('elsewhere', { nodeName: 'other' }))
  expect(look()).toBe(first)
})

test.each<[string, (w: ReturnType<typeof start>) => void, readonly string[]]>([
  [
    'its Node',
    ({ informers }) =>
      informers.put(kinds.Node, {
        ...machine,
        metadata: { ...machine.metadata, annotations: { [annotations.doNotDisrupt]: 'true' } },
      }),
    ['node.do-not-disrupt'],
  ],
  [
    'its NodeClaim',
    ({ informers }) =>
      informers.put(karpenterKinds.NodeClaim, {
        ...claim,
        metadata: { ...claim.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
      }),
    ['node.deleting'],
  ],
  ['the deletion mark', ({ state }) => state.markForDeletion(ID), ['node.deleting']],
  ['the queue of commands', ({ queued }) => queued.add(ID), ['command.queued']],
  ['its nominations', ({ state }) => state.expectPods(ID), ['node.nominated']],
  [
    'a PodDisruptionBudget that selects its pods',
    ({ informers }) => informers.put(kinds.PodDisruptionBudget, budget),
    ['pdb.blocks'],
  ],
  [
    'a PodDisruptionBudget that allows no disruption now',
    ({ informers }) =>
      informers.put(kinds.PodDisruptionBudget, { ...budget, spec: { selector: {}, maxUnavailable: 1 } }),
    ['pdb.blocks'],
  ],
  ['its pool, which is deleted', ({ harness }) => harness.types.delete('general'), ['pool.not-found']],
])('a node is assessed again after a change of %s', (_name, change, blockers) => {
  const w = start()
  const first = w.look()
  change(w)
  expect(codes(w.look())).toEqual(blockers)
  expect(w.look()).not.toBe(first)
})

test('a node is assessed again when its pods are created, changed or deleted, and when instance types change', () => {
  const { informers, harness, look } = start()
  look()
  informers.put(kinds.Pod, pod('more', { nodeName: 'n' }))
  expect(look().candidate?.reschedulable).toHaveLength(2)
  const guarded = pod('more', { nodeName: 'n', metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } })
  informers.put(kinds.Pod, guarded)
  expect(codes(look())).toEqual(['pod.do-not-disrupt'])
  informers.of(kinds.Pod).delete('default/more')
  const last = look()
  expect(last.candidate?.reschedulable).toHaveLength(1)
  const offered = offer()
  harness.types.set('general', offered)
  expect(look().candidate?.pool).toBe(offered.pool)
})

test('a node whose blocker expires is assessed again when time has passed', async () => {
  const { state, clock, look } = start()
  state.expectPods(ID)
  expect(codes(look())).toEqual(['node.nominated'])
  await clock.advance(MINUTE)
  expect(codes(look())).toEqual([])
})

test('a node with a nominated pod is assessed again after ten seconds, because the time of the binding is unknown', () => {
  const { informers, clock, look } = start()
  informers.put(kinds.Pod, pod('late', { status: { nominatedNodeName: 'n' } }))
  expect(look().blockers).toEqual([{ code: 'node.nominated', pod: 'default/late', until: clock.now() + 10_000 }])
})

test('a changed PodDisruptionBudget replaces only the assessments of nodes whose blockers change', () => {
  const { informers, look } = start()
  const of = (app: string, disruptionsAllowed: number, maxUnavailable = 1): PodDisruptionBudget => ({
    ...budget,
    metadata: { name: app, namespace: 'default' },
    spec: { selector: { matchLabels: { app } }, maxUnavailable },
    status: { disruptionsAllowed },
  })
  informers.put(kinds.Pod, pod('web', { nodeName: 'n', metadata: { labels: { app: 'web' } } }))
  informers.put(kinds.PodDisruptionBudget, of('web', 1), of('other', 1))
  const first = look()
  informers.put(kinds.PodDisruptionBudget, of('other', 0))
  expect(look()).toBe(first)
  informers.put(kinds.PodDisruptionBudget, of('web', 0))
  const held = look()
  expect(codes(held)).toEqual(['pdb.blocks'])
  informers.put(kinds.PodDisruptionBudget, of('web', 1))
  expect(codes(look())).toEqual([])
  // A candidate object caches whether its pods can ever be evicted.
  const before = look()
  informers.put(kinds.PodDisruptionBudget, of('web', 1, 0))
  expect(look().candidate).not.toBe(before.candidate)
})
