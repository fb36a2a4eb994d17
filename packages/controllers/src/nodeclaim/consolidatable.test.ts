import { karpenterKinds, kinds } from '@kerf/apis'
import { condition, node, nodeClaim, nodePool, readyNodeLabels } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { Snapshots } from '../state/snapshot.ts'
import { manualState } from '../testing/by-hand/manual-state.ts'
import { consolidatable, poolConsolidateAfter } from './consolidatable.ts'

test('an invalid consolidateAfter counts as Never, and only for its own pool', () => {
  const { informers, clock, deps, state } = manualState()
  const pools = ['soon', '10m', '0s'] as const
  for (const after of pools) {
    const name = `p-${after}`
    const claim = nodeClaim(name, {
      pool: name,
      providerID: `test://${name}`,
      conditions: [{ ...condition('Initialized'), lastTransitionTime: new Date(clock.now()).toISOString() }],
    })
    informers.put(karpenterKinds.NodePool, nodePool(name, { disruption: { consolidateAfter: after } }))
    informers.put(karpenterKinds.NodeClaim, claim)
    informers.put(kinds.Node, node(name, { pool: name, providerID: `test://${name}`, labels: readyNodeLabels }))
  }
  const poolWithConsolidateAfter = (after: string) => nodePool('p', { disruption: { consolidateAfter: after } })
  expect(pools.map((after) => poolConsolidateAfter(poolWithConsolidateAfter(after)))).toEqual(['Never', 600_000, 0])
  const { nodes } = new Snapshots(deps, state).take([], { consolidation: true })
  const settling = nodes.filter(({ underConsolidateAfter }) => underConsolidateAfter === true).map(({ name }) => name)
  expect(settling).toEqual(['p-10m'])
  const claim = nodeClaim('c', { conditions: [condition('Initialized')] })
  expect(consolidatable(claim, poolWithConsolidateAfter('soon'), clock.now())).toEqual({})
  expect(consolidatable(claim, poolWithConsolidateAfter('0s'), clock.now()).change?.status).toBe('True')
})

// `docs/spec/lifecycle.md#other-claim-controllers`
describe('the Consolidatable condition', () => {
  const START = Date.parse('2026-01-01T00:00:00Z')
  const MINUTE = 60_000
  const tenMinutes = nodePool('p', { disruption: { consolidateAfter: '10m' } })
  const initialized = (status: 'True' | 'False' | 'Unknown' = 'True') =>
    nodeClaim('c', { conditions: [condition('Initialized', status)] })
  const withEvent = (at: string) => {
    const claim = initialized()
    return { ...claim, status: { ...claim.status, lastPodEventTime: at } }
  }
  const is = (claim: Parameters<typeof consolidatable>[0], minutes: number, pool = tenMinutes) =>
    consolidatable(claim, pool, START + minutes * MINUTE).change?.status === 'True'

  test('consolidateAfter counts from initialization, until a pod arrives or leaves', () => {
    expect([is(initialized(), 10 - 1e-5), is(initialized(), 10)]).toEqual([false, true])
    expect(consolidatable(initialized(), tenMinutes, START + 4 * MINUTE)).toEqual({ after: 6 * MINUTE })
    const later = withEvent('2026-01-01T00:08:00Z')
    expect([is(later, 10), is(later, 18 - 1e-5), is(later, 18)]).toEqual([false, false, true])
  })

  test('a claim is not Consolidatable if it is not initialized, or if its pool has consolidateAfter Never', () => {
    const zero = nodePool('p', { disruption: { consolidateAfter: '0s' } })
    expect([is(initialized('False'), 60, zero), is(initialized('Unknown'), 60, zero)]).toEqual([false, false])
    expect(is(nodeClaim('c'), 60, zero)).toBe(false)
    expect(is(initialized(), 0, zero)).toBe(true)
    expect(is(initialized(), 60, nodePool('p', { disruption: { consolidateAfter: 'Never' } }))).toBe(false)
  })
})
