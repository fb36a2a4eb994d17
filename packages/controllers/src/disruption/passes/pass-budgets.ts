import { karpenterKinds, type NodePool } from '@kerf/apis'
import { budgetAllowance, type DisruptionReason } from '@kerf/engine'
import { isManagedPool } from '../../nodeclaim/ownership.ts'
import type { ClusterState, MirrorDeps } from '../../state/cluster-state.ts'
import { countNodes, type PoolCount } from '../../state/pool-count.ts'
import { PoolBudgets } from '../budgets/pool-budgets.ts'

/** Computes the current budgets of NodePools. */
export class PassBudgets {
  readonly #deps: MirrorDeps
  readonly #state: ClusterState
  #version = -1
  #counts: ReadonlyMap<string, PoolCount> = new Map()

  constructor(deps: MirrorDeps, state: ClusterState) {
    this.#deps = deps
    this.#state = state
  }

  /**
   * Returns the remaining budgets of each pool for this reason. If `gone` is set, the nodes with these provider IDs count as already
   * deleted.
   */
  for(reason: DisruptionReason, gone?: ReadonlySet<string>): PoolBudgets {
    const { informers, provider, clock } = this.#deps
    const { isolation } = this.#state
    // If a pool cannot be read, Kerf does not disrupt its nodes.
    const isReadable = (pool: NodePool): boolean => {
      const own = isManagedPool(provider, pool)
      if (own) budgetAllowance(pool, reason, 1, clock.now())
      return own
    }
    const pools = [...informers.of(karpenterKinds.NodePool).values()].filter((pool) =>
      isolation.guard('NodePool', 'disruption', pool, () => isReadable(pool), false),
    )
    const isAll = gone === undefined || gone.size === 0
    const counts = isAll ? this.#currentCounts() : countNodes(this.#state.nodes(), gone)
    return new PoolBudgets(reason, pools, counts, clock.now())
  }

  #currentCounts(): ReadonlyMap<string, PoolCount> {
    if (this.#version !== this.#state.version) this.#counts = countNodes(this.#state.nodes())
    this.#version = this.#state.version
    return this.#counts
  }
}
