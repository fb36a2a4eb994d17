import { isConditionTrue } from '@kerf/apis'
import { unreported } from './isolation/unreported.ts'
import type { StateNode } from './state-node.ts'

/** The number of nodes of a pool for its budgets. */
export interface PoolCount {
  readonly total: number
  /** Nodes that are not Ready or are marked for deletion. */
  readonly disrupting: number
}

const NONE: ReadonlySet<string> = new Set()

const isReady = ({ node }: StateNode): boolean =>
  node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false

/**
 * Counts the managed, initialized nodes of each pool whose instance is not terminating yet
 * (`docs/spec/disruption.md#budgets`). `except` has the provider IDs of nodes to count as if they were gone.
 */
export const countNodes = (
  nodes: Iterable<StateNode>,
  except: ReadonlySet<string> = NONE,
): ReadonlyMap<string, PoolCount> => {
  const counts = new Map<string, { total: number; disrupting: number }>()
  const countNode = (node: StateNode): void => {
    const { nodePool, claim } = node
    if (nodePool === undefined || claim === undefined || !node.isInitialized || except.has(node.providerID)) return
    if (isConditionTrue(claim, 'InstanceTerminating')) return
    const isDisrupting = !isReady(node) || node.isMarkedForDeletion
    const count = counts.get(nodePool) ?? { total: 0, disrupting: 0 }
    count.total++
    if (isDisrupting) count.disrupting++
    counts.set(nodePool, count)
  }
  // An unreadable node is no candidate and does not use the budget of its pool.
  for (const node of nodes) unreported.guard('Node', 'disruption', node, () => countNode(node), undefined)
  return counts
}
