import { mapLimit } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { processIsolation } from '../../state/isolation/isolation.ts'
import type { StateNode } from '../../state/state-node.ts'
import { hasReason, isTainted, removeTaint, writeReason } from './taint-and-reason.ts'

const PARALLEL = 20

/**
 * Uncordons nodes that are still tainted because of an earlier process or a failed command. `isQueued` returns whether a command under way
 * includes the node.
 */
export const uncordonLeftovers = async (
  deps: Deps,
  state: ClusterState,
  isQueued: (providerID: string) => boolean,
  signal: AbortSignal,
): Promise<void> => {
  const isLeftover = (node: StateNode): boolean =>
    node.claim !== undefined &&
    node.node !== undefined &&
    !node.isMarkedForDeletion &&
    !isQueued(node.providerID) &&
    (isTainted(node.node) || hasReason(node.claim))
  const leftovers = [...state.nodes()].filter((node) =>
    processIsolation(deps).guard('Node', 'disruption', node.node ?? node, () => isLeftover(node), false),
  )
  await mapLimit(
    leftovers,
    PARALLEL,
    async ({ node, claim, isInitialized }) => {
      if (node !== undefined && isTainted(node)) await removeTaint(deps, node, signal)
      if (claim !== undefined && isInitialized && hasReason(claim)) await writeReason(deps, claim, undefined, signal)
    },
    signal,
  )
}
