import type { Pod } from '@kerf/apis'
import { nodeClaim, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { StateNode } from '../../state/state-node.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { DrainPace } from './drain-pace.ts'

/** Creates a pool with `count` nodes. `taking` returns the candidates of a command for one of them. */
const poolWithNodes = (count: number) => {
  const nodes = new Map<string, StateNode>()
  for (let number = 0; number < count; number++) {
    const state = new StateNode(`n-${number}`)
    const claim = nodeClaim(`n-${number}`)
    state.claim = { ...claim, metadata: { ...claim.metadata, labels: { 'karpenter.sh/nodepool': 'general' } } }
    nodes.set(state.providerID, state)
  }
  const provisionable: Pod[] = []
  const state = {
    byProviderID: (providerID: string) => nodes.get(providerID),
    nodes: () => nodes.values(),
    pods: { provisionable },
  }
  const taking = (number: number, pods = 1, poolName = 'general'): readonly Candidate[] => [
    { providerID: `n-${number}`, poolName, reschedulable: Array.from({ length: pods }) } as unknown as Candidate,
  ]
  const drained = (number: number): void => {
    const node = nodes.get(`n-${number}`)
    if (node?.claim === undefined) throw new Error(`there is no node ${number}`)
    const conditions = [
      { type: 'Drained', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'Drained', message: '' },
    ]
    node.claim = { ...node.claim, status: { ...node.claim.status, conditions } } as typeof node.claim
  }
  const remove = (number: number) => nodes.delete(`n-${number}`)
  return { pace: new DrainPace(state), taking, drained, remove, nodes, provisionable }
}

const created = (seconds: number, phase: 'Pending' | 'Running' = 'Pending'): Pod => {
  const base = pod(`created-${seconds}`)
  const creationTimestamp = new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
  return { ...base, metadata: { ...base.metadata, creationTimestamp }, status: { ...base.status, phase } }
}

test('in a small pool, one node drains at a time', () => {
  const { pace, taking, drained, remove } = poolWithNodes(16)
  expect(pace.mayBegin(taking(0), 0)).toBe(true)
  pace.begun(taking(0), 0)
  expect(pace.mayBegin(taking(1), 1_000)).toBe(false)
  drained(0)
  expect(pace.mayBegin(taking(1), 2_000)).toBe(true)
  pace.begun(taking(1), 2_000)
  expect(pace.mayBegin(taking(2), 3_000)).toBe(false)
  remove(1)
  expect(pace.mayBegin(taking(2), 3_000)).toBe(true)
})

test('a node that drains slowly delays the others for at most ten seconds', () => {
  const { pace, taking } = poolWithNodes(16)
  pace.begun(taking(0), 0)
  expect(pace.mayBegin(taking(1), 9_999)).toBe(false)
  expect(pace.mayBegin(taking(1), 10_000)).toBe(true)
})

test('nodes without pods neither wait nor delay others, nor do nodes of other pools', () => {
  const { pace, taking } = poolWithNodes(16)
  pace.begun(taking(5, 0), 0)
  expect(pace.mayBegin(taking(0), 1_000)).toBe(true)
  pace.begun(taking(0), 0)
  expect(pace.mayBegin(taking(1, 0), 1_000)).toBe(true)
  expect(pace.mayBegin(taking(1, 1, 'other'), 1_000)).toBe(true)
})

test('in a large pool, one node in fifty may drain at the same time', () => {
  const { pace, taking } = poolWithNodes(150)
  for (const number of [0, 1]) pace.begun(taking(number), 0)
  expect(pace.mayBegin(taking(2), 1_000)).toBe(true)
  pace.begun(taking(2), 1_000)
  expect(pace.mayBegin(taking(3), 1_000)).toBe(false)
})

test('the next node waits until pods created since the last drain are running, but not for older pods', () => {
  const { pace, taking, drained, nodes, provisionable } = poolWithNodes(16)
  provisionable.push(created(50))
  pace.begun(taking(0), 60_000)
  drained(0)
  expect(pace.mayBegin(taking(1), 61_000)).toBe(true)
  pace.begun(taking(1), 61_500)
  drained(1)
  provisionable.push(created(61))
  expect(pace.mayBegin(taking(2), 63_000)).toBe(false)
  provisionable.length = 1
  const [node] = nodes.values()
  if (node !== undefined) node.pods = [created(61)]
  expect(pace.mayBegin(taking(2), 64_000)).toBe(false)
  if (node !== undefined) node.pods = [created(61, 'Running')]
  expect(pace.mayBegin(taking(2), 65_000)).toBe(true)
})

test('pods that never run again delay other nodes for at most ten seconds', () => {
  const { pace, taking, drained, provisionable } = poolWithNodes(16)
  pace.begun(taking(0), 60_000)
  drained(0)
  provisionable.push(created(60))
  expect(pace.mayBegin(taking(1), 69_999)).toBe(false)
  expect(pace.mayBegin(taking(1), 70_000)).toBe(true)
})
