import { isConditionTrue } from '@kerf/apis'
import { unreported } from './isolation/unreported.ts'
import type { StateNode } from './state-node.ts'

/** The number of a pool's nodes that its budgets apply to. */
export interface PoolCount {
  readonly total: number
  /** Nodes that are not Ready or are marked for deletion. */
  readonly disrupting: number
}

const NONE: ReadonlySet<string> = new Set()

const isReady = ({ node }: StateNode): boolean =>
  node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false

/**
 * Counts, for each pool, the managed and initialized nodes whose instance is not terminating yet (`docs/spec/disruption.md#budgets`).
 * `except` contains the provider IDs of nodes that count as deleted.
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
  // An unreadable node is not a candidate, and does not use up its pool's budget.
  for (const node of nodes) unreported.guard('Node', 'disruption', node, () => countNode(node), undefined)
  return counts
}
