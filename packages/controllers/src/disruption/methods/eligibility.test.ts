import type { NodeClaim } from '@kerf/apis'
import { condition, node, nodeClaim, nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { StateNode } from '../../state/state-node.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { methods } from './methods.ts'

const ZONE = 'topology.kubernetes.io/zone'
const { state } = manualState()

const candidate = (
  claim: NodeClaim,
  traits: { readonly isStatic?: boolean; readonly isEmpty?: boolean },
): Candidate => ({
  state: new StateNode('n'),
  providerID: 'n',
  name: 'n',
  node: node('n'),
  claim,
  pool: nodePool('general', traits.isStatic === true ? { replicas: 1 } : {}),
  poolName: 'general',
  labels: { 'karpenter.sh/capacity-type': 'spot', 'topology.kubernetes.io/zone': 'a' },
  type: { name: 't', requirements: [], offerings: [], capacity: {}, overhead: {} },
  price: 1,
  reschedulable: [],
  disruption: traits.isEmpty === true ? 1 : 2,
})
const eligibility = (name: string, of: Candidate) => {
  const method = methods.find((each) => each.name === name)
  if (method === undefined) throw new Error(`there is no method ${name}`)
  return method.eligibility(of, state)
}
const codes = (method: string, of: Candidate): readonly string[] => eligibility(method, of).map(({ code }) => code)

// `docs/spec/disruption.md#eligibility`
describe('the eligibility of a node for each method', () => {
  test.each([
    ['True', [], []],
    ['False', ['node.not-drifted'], ['node.not-drifted']],
    ['Unknown', ['node.not-drifted'], ['node.not-drifted']],
    [undefined, ['node.not-drifted'], ['node.not-drifted']],
  ] as const)('drift requires Drifted, which is %s', (status, dynamic, fixed) => {
    const claim = nodeClaim('c', { conditions: status === undefined ? [] : [condition('Drifted', status)] })
    expect(codes('drift', candidate(claim, {}))).toEqual(dynamic)
    expect(codes('static-drift', candidate(claim, { isStatic: true }))).toEqual(fixed)
  })

  test('a node without a zone label can be consolidated if its instance type has no zone either', () => {
    const of = candidate(nodeClaim('c', { conditions: [condition('Consolidatable', 'True')] }), {})
    const unzoned = { ...of, labels: { 'karpenter.sh/capacity-type': 'spot' } }
    const withZone = (operator: 'DoesNotExist' | 'Exists') => ({
      ...unzoned,
      type: { name: 't', requirements: [{ key: ZONE, operator }], offerings: [], capacity: {}, overhead: {} },
    })
    expect(codes('single-node', withZone('DoesNotExist'))).toEqual([])
    expect(codes('single-node', withZone('Exists'))).toEqual(['label.missing'])
    expect(codes('single-node', unzoned)).toEqual(['label.missing'])
  })

  test('if consolidation is off, no blocker mentions consolidateAfter', () => {
    const pool = nodePool('general', { disruption: { consolidateAfter: 'Never' } })
    const off = { ...candidate(nodeClaim('c', { conditions: [] }), { isEmpty: true }), pool }
    expect(codes('emptiness', off)).toEqual(['pool.consolidation-off'])
    expect(codes('single-node', off)).toEqual(['pool.consolidation-off', 'node.empty'])
  })

  test('the blocker of a node within its consolidateAfter says when that ends', () => {
    const pool = nodePool('general', { disruption: { consolidateAfter: '10m' } })
    const claim = nodeClaim('c', { conditions: [condition('Initialized')] })
    const settling = { ...candidate(claim, { isEmpty: true }), pool }
    const until = Date.parse('2026-01-01T00:10:00Z')
    expect(eligibility('emptiness', settling)).toEqual([{ code: 'node.not-consolidatable', until }])
  })

  test('only static-drift replaces drifted nodes of static pools', () => {
    const claim = nodeClaim('c', { conditions: [condition('Drifted')] })
    expect(codes('drift', candidate(claim, { isStatic: true }))).toEqual(['pool.static'])
    expect(codes('static-drift', candidate(claim, {}))).toEqual(['pool.dynamic'])
  })

  test.each([
    ['True', []],
    ['False', ['node.not-consolidatable']],
    ['Unknown', ['node.not-consolidatable']],
    [undefined, ['node.not-consolidatable']],
  ] as const)('emptiness and consolidation require Consolidatable, which is %s', (status, expected) => {
    const claim = nodeClaim('c', { conditions: status === undefined ? [] : [condition('Consolidatable', status)] })
    expect(codes('emptiness', candidate(claim, { isEmpty: true }))).toEqual(expected)
    for (const method of ['multi-node', 'single-node'] as const) {
      expect(codes(method, candidate(claim, {}))).toEqual(expected)
    }
  })

  test('nodes of static pools are never disrupted as empty or underutilized', () => {
    const claim = nodeClaim('c', { conditions: [condition('Consolidatable')] })
    expect(codes('emptiness', candidate(claim, { isStatic: true, isEmpty: true }))).toEqual(['pool.static'])
    for (const method of ['multi-node', 'single-node'] as const) {
      expect(codes(method, candidate(claim, { isStatic: true }))).toEqual(['pool.static'])
    }
  })
})
