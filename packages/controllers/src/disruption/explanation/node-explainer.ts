import { ClusterState, type MirrorDeps } from '../../state/cluster-state.ts'
import { Snapshots } from '../../state/snapshot.ts'
import type { StateNode } from '../../state/state-node.ts'
import { hasReason, isTainted } from '../execution/taint-and-reason.ts'
import { DisruptionPasses } from '../passes/disruption-passes.ts'
import { explainNode, type NodeExplanation } from './explain-node.ts'

/**
 * Explains nodes of a cluster that another Kerf process manages. It reads only the objects, from a recording or from a single read of a
 * live cluster. It recognizes commands under way by taints and conditions. It lacks the state that the other process has only in memory:
 * planned placements and undone moves.
 */
export class NodeExplainer {
  readonly #state: ClusterState
  readonly #passes: DisruptionPasses

  constructor(deps: MirrorDeps) {
    const state = new ClusterState(deps)
    state.follow()
    this.#state = state
    const isQueued = (providerID: string): boolean => isUnderWay(state.byProviderID(providerID))
    this.#passes = new DisruptionPasses({ ...deps, state, snapshots: new Snapshots(deps, state), isQueued })
  }

  /** Returns the explanation, or undefined if there is no Node or claim with this name. */
  async explain(name: string, signal: AbortSignal): Promise<NodeExplanation | undefined> {
    const pass = await this.#passes.begin(signal)
    return await explainNode(name, pass, { state: this.#state, commandOf: () => undefined, signal })
  }
}

/** Returns whether the node's taints and conditions show that it belongs to a command under way. */
export const isUnderWay = (node: StateNode | undefined): boolean =>
  node !== undefined && !node.isMarkedForDeletion && (isTainted(node.node) || hasReason(node.claim))
