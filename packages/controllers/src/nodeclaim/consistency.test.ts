import { kinds, type Node, type NodeClaim } from '@kerf/apis'
import { condition, node, nodeClaim, nodeClassRef } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { createClaim, createInitializedClaim, lifecycleHarness } from '../testing/harness/index.ts'
import { shapeProblems } from './consistency.ts'

const minutes = (count: number): number => count * 60_000
const claimRequesting = (requests: Record<string, string>, traits: object = {}): NodeClaim =>
  nodeClaim('a', {
    capacity: { cpu: '4', memory: '1000Mi', pods: '110' },
    conditions: [condition('Initialized')],
    spec: { resources: { requests } },
    ...traits,
  })
const nodeWith = (capacity: Record<string, string>): Node => node('n', { capacity })

describe('the comparison of a node’s resources with those of its claim', () => {
  test.each([
    ['memory', '900Mi', []],
    ['memory', '1200Mi', []],
    ['memory', '899Mi', ['expected 1000Mi of resource memory, but found 899Mi (89.9% of expected)']],
    ['cpu', '2', ['expected 4 of resource cpu, but found 2 (50.0% of expected)']],
    ['pods', '0', ['expected 110 of resource pods, but found 0 (0.0% of expected)']],
  ])('%s %s', (name, amount, expected) => {
    expect(shapeProblems(claimRequesting({ [name]: '1' }), nodeWith({ [name]: amount }))).toEqual(expected)
  })

  test('includes only requested resources', () => {
    expect(shapeProblems(claimRequesting({ cpu: '1' }), nodeWith({ cpu: '4', memory: '1Mi' }))).toEqual([])
    expect(shapeProblems(claimRequesting({ cpu: '0' }), nodeWith({}))).toEqual([])
    expect(shapeProblems(claimRequesting({ 'example.com/gpu': '1' }), nodeWith({}))).toEqual([])
  })

  test('skips a claim that is not initialized or is being deleted', () => {
    const small = nodeWith({ cpu: '1' })
    expect(shapeProblems(claimRequesting({ cpu: '1' }, { conditions: [] }), small)).toEqual([])
    const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
    expect(shapeProblems(claimRequesting({ cpu: '1' }, going), small)).toEqual([])
  })
})

describe('the consistency controller', () => {
  test('detects within ten minutes that a node has become smaller, and reports it once', async () => {
    const harness = await lifecycleHarness()
    await createInitializedClaim(harness)
    expect(await harness.condition('ConsistentStateFound')).toBe('True ConsistentStateFound')
    await harness.patch(kinds.Node, await harness.node(), { status: { capacity: { cpu: '1' } } }, 'status')
    await harness.pass(minutes(9))
    expect(await harness.condition('ConsistentStateFound')).toBe('True ConsistentStateFound')
    await harness.pass(minutes(2))
    expect(await harness.condition('ConsistentStateFound')).toBe('False ConsistencyCheckFailed')
    const reported = harness.events.events.filter(({ reason }) => reason === 'FailedConsistencyCheck')
    expect(reported.map(({ message }) => message)).toEqual([
      'expected 4 of resource cpu, but found 1 (25.0% of expected)',
    ])
  })

  test('does not check claims of other providers', async () => {
    const harness = await lifecycleHarness()
    await createClaim(harness, 'a', { spec: { nodeClassRef: { ...nodeClassRef, group: 'other.sh' } } })
    await harness.pass(minutes(11))
    expect(await harness.condition('ConsistentStateFound')).toBeUndefined()
  })
})
