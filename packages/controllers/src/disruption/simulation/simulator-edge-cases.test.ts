import { coreVocabulary, type Pod, parseQuantity } from '@kerf/apis'
import type { NodeState } from '@kerf/engine'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createSimulator, type SimulatorInput } from './simulator.ts'

// Tests of `docs/spec/scheduling-edge-cases.md`. `tests/integration/facts/numbered-cases.ts` has the numbers of the cases.

const room = { cpu: parseQuantity('4'), memory: parseQuantity('8Gi'), pods: parseQuantity('10') }

const state = (name: string, pods: readonly Pod[], change: Partial<NodeState> = {}): NodeState => ({
  name,
  hostName: name,
  labels: { 'kubernetes.io/hostname': name },
  taints: [],
  capacity: room,
  allocatable: room,
  initialized: true,
  managed: true,
  hasNode: true,
  nodePool: 'default',
  nodeClaim: name,
  nodeName: name,
  markedForDeletion: false,
  pods,
  ...change,
})

/** Runs a simulation. `more` overrides fields of the simulator's input. */
const simulate = (nodes: readonly NodeState[], candidate: string, more: Partial<SimulatorInput> = {}) => {
  const simulator = createSimulator({
    snapshot: {
      pools: [],
      nodes,
      daemonPods: [],
      namespaces: [],
      persistentVolumeClaims: [],
      persistentVolumes: [],
      storageClasses: [],
      csiNodes: [],
    },
    waiting: [],
    mayLeave: nodes.map(({ pods }) => pods),
    options: { vocabulary: coreVocabulary },
    ...more,
  })
  expect([...simulator.prepare()]).toEqual([])
  return simulator.simulate([
    { name: candidate, reschedulable: nodes.find(({ name }) => name === candidate)?.pods ?? [] },
  ])
}

test('only pods that must move anyway may be placed on a node that is still starting', () => {
  const young = state('young', [], { initialized: false })
  const moving = pod('moving', { nodeName: 'old' })
  const chosen = simulate([state('old', [moving]), young], 'old')
  const waitsFor = 'would schedule against uninitialized nodeclaim/young, node/young'
  expect(chosen.unplaced).toEqual([{ pod: 'default/moving', why: waitsFor, waitsFor }])
  const leaving = pod('leaving', { nodeName: 'gone' })
  const nodes = [state('gone', [leaving], { markedForDeletion: true }), state('empty', []), young]
  const forced = simulate(nodes, 'empty', { waiting: [leaving] })
  expect(forced.unplaced).toEqual([])
  expect(forced.placements.map(({ node }) => node)).toEqual(['young'])
  const waits = simulate([state('old', []), young], 'old', { waiting: [pod('waits')] })
  expect(waits.unplaced).toEqual([])
})

test('virtual pods use capacity, but do not count as unplaced', () => {
  const virtual = pod('virtual')
  const moving = pod('moving', { nodeName: 'old' })
  const nodes = [state('old', [moving]), state('other', [])]
  const waiting = [{ ...virtual, spec: { ...virtual.spec, nodeSelector: { no: 'where' } }, status: {} }]
  const ask = (isVirtual: (of: Pod) => boolean) => simulate(nodes, 'old', { waiting, isVirtual })
  const found = ask((of) => of.metadata.name === 'virtual')
  expect(found.unplaced).toEqual([])
  expect(found.placements.map(({ node }) => node)).toEqual(['other'])
  expect(ask(() => false).unplaced.map(({ pod: name }) => name)).toEqual(['default/virtual'])
})
