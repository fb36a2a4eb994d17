import { node, nodeClaim, nodePool } from '@kerf/testing'
import type { Candidate } from '../disruption/candidates/candidate.ts'
import type { Command } from '../disruption/commands/command.ts'
import { StateNode } from '../state/state-node.ts'

/** Returns a node that may be disrupted. `name` is the name of its claim and also its provider ID. Its Node is called `node-NAME`. */
export const candidate = (name: string, traits: Partial<Candidate> = {}): Candidate => {
  const state = new StateNode(name)
  const [machine, claim] = [node(`node-${name}`), nodeClaim(name)]
  state.node = machine
  state.claim = claim
  const poolName = traits.poolName ?? 'general'
  return {
    state,
    providerID: name,
    name: `node-${name}`,
    node: machine,
    claim,
    pool: nodePool(poolName),
    poolName,
    labels: {},
    type: undefined,
    price: 1,
    reschedulable: [],
    disruption: 1,
    ...traits,
  }
}

/** Returns a command that consolidates these nodes. Without `traits`, it deletes them. */
export const consolidation = (candidates: readonly Candidate[], traits: Partial<Command> = {}): Command => ({
  method: candidates.length === 1 ? 'single-node' : 'multi-node',
  reason: 'Underutilized',
  consolidationType: candidates.length === 1 ? 'single' : 'multi',
  candidates,
  replacements: [],
  placements: [],
  savings: 0.125,
  ...traits,
})
