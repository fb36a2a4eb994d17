import type { ExistingNode } from '../model/existing-node.ts'
import { amountEntries } from '../resources/amount-entries.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { NodeState } from '../snapshot.ts'

/** The total capacity of the nodes of each pool, by resource, in billionths. The entry `nodes` is the number of nodes. */
export type PoolUse = ReadonlyMap<string, Amounts>

const ONE = 1_000_000_000n

/** Returns whether a node counts towards the limits of a pool. Nodes that are marked for deletion do not count. */
export const countsAgainst = (pool: string, state: NodeState): boolean =>
  state.nodePool === pool && !state.markedForDeletion

export const computePoolUse = (nodes: readonly ExistingNode[]): PoolUse => {
  const use = new Map<string, Map<string, bigint>>()
  for (const { state } of nodes) {
    const { nodePool } = state
    if (nodePool === undefined || !countsAgainst(nodePool, state)) continue
    let used = use.get(nodePool)
    if (used === undefined) {
      used = new Map()
      use.set(nodePool, used)
    }
    for (const [name, amount] of amountEntries(state.capacity))
      if (name !== 'nodes') used.set(name, (used.get(name) ?? 0n) + amount)
    used.set('nodes', (used.get('nodes') ?? 0n) + ONE)
  }
  return use
}
