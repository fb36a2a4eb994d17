import { isConditionTrue } from '@kerf/apis'
import type { StateNode } from './state-node.ts'

/** Nodes of a pool as its budgets count them. */
export interface PoolCount {
  readonly total: number
  /** Not Ready, or on its way out. */
  readonly disrupting: number
}

const NONE: ReadonlySet<string> = new Set()

const isReady = ({ node }: StateNode): boolean =>
  node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false

/**
 * Managed, initialised nodes whose instance is not terminating yet (`docs/spec/disruption.md#budgets`). `except`:
 * provider IDs of nodes to count as if they were gone already.
 */
export const countNodes = (
  nodes: Iterable<StateNode>,
  except: ReadonlySet<string> = NONE,
): ReadonlyMap<string, PoolCount> => {
  const counts = new Map<string, { total: number; disrupting: number }>()
  for (const node of nodes) {
    const { nodePool, claim } = node
    if (nodePool === undefined || claim === undefined || !node.isInitialized || except.has(node.providerID)) continue
    if (isConditionTrue(claim, 'InstanceTerminating')) continue
    const count = counts.get(nodePool) ?? { total: 0, disrupting: 0 }
    count.total++
    if (!isReady(node) || node.isMarkedForDeletion) count.disrupting++
    counts.set(nodePool, count)
  }
  return counts
}
