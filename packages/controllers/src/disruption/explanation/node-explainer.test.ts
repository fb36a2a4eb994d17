import { karpenterKinds, kinds, labels, type Node, type NodeClaim, type PodDisruptionBudget, taints } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { condition, node, nodeClaim, nodePool, pod, readyNodeLabels } from '@kerf/testing'
import { expect, test } from 'vitest'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { NodeExplainer } from './node-explainer.ts'

const ID = 'sim:///a/i-1'
const type: InstanceType = { name: 's-4x', requirements: [], offerings: [], capacity: {}, overhead: {} }
const machine = node('n', {
  pool: 'general',
  providerID: ID,
  labels: { ...readyNodeLabels, [labels.instanceType]: 's-4x' },
})
const healthy = nodeClaim('c', { pool: 'general', providerID: ID, conditions: [condition('Initialized')] })
const closed: Node = { ...machine, spec: { ...machine.spec, taints: [taints.disrupted] } }
const chosen: NodeClaim = nodeClaim('c', {
  ...{ pool: 'general', providerID: ID },
  conditions: [condition('Initialized'), condition('DisruptionReason', 'True', 'Drifted')],
})

/** Explains one node of a cluster that another Kerf process manages. */
const explain = async (ofNode: Node, claim: NodeClaim, name = 'n') => {
  const { informers, deps } = manualState()
  const provider = { ...deps.provider, instanceTypes: async () => [type] }
  informers.put(karpenterKinds.NodePool, nodePool('general'))
  const explainer = new NodeExplainer({ ...deps, provider })
  informers.put(karpenterKinds.NodeClaim, claim)
  informers.put(kinds.Node, ofNode)
  const budget: PodDisruptionBudget = {
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'keep', namespace: 'default' } },
    ...{ spec: { selector: {}, maxUnavailable: 0 }, status: { disruptionsAllowed: 0 } },
  }
  informers.put(kinds.PodDisruptionBudget, budget)
  informers.put(kinds.Pod, pod('web', { nodeName: 'n' }))
  return await explainer.explain(name, new AbortController().signal)
}

test.each([
  ['without them is not part of a command', machine, healthy, ['pdb.blocks']],
  ['with the taint is part of a command', closed, healthy, ['command.queued', 'pdb.blocks']],
  ['with the DisruptionReason condition is part of a command', machine, chosen, ['command.queued', 'pdb.blocks']],
])(
  'commands of the process that manages the cluster are recognized by taints and conditions: a node %s',
  async (_name, on, claim, codes) => {
    const found = await explain(on, claim)
    expect(found?.blockers.map(({ code }) => code)).toEqual(codes)
    expect(found).toMatchObject({ node: 'n', nodePool: 'general' })
    expect(found?.termination).toBeUndefined()
  },
)

test('the explanation of a terminating node says what it waits for, and names no command', async () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z'
  const leaving = { ...chosen, metadata: { ...chosen.metadata, deletionTimestamp } }
  const found = await explain(closed, leaving)
  expect(found?.blockers.map(({ code }) => code)).toEqual(['node.deleting', 'pdb.blocks'])
  expect(found?.termination).toMatchObject({
    waitsFor: [{ code: 'pdb.blocks', pod: 'default/web', budget: 'default/keep' }],
  })
})

test('a node is found by its own name and by the name of its claim; an unknown name is not found', async () => {
  expect((await explain(machine, healthy, 'c'))?.node).toBe('n')
  expect(await explain(machine, healthy, 'stranger')).toBeUndefined()
})
