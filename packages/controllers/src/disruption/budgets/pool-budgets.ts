import { findCondition, type Milliseconds, type NodePool } from '@kerf/apis'
import {
  type Allowance,
  budgetAllowance,
  closedBudgets,
  type DisruptionReason,
  type MoveBlocker,
  opensAt,
  UNLIMITED,
} from '@kerf/engine'
import type { PoolCount } from '../../state/pool-count.ts'

export interface PoolBudget extends PoolCount {
  readonly pool: NodePool
  readonly allowance: Allowance
}

/**
 * Tracks how many more nodes of each pool may be disrupted for one reason. The number decreases by one for each node that a disruption
 * method chooses.
 */
export class PoolBudgets {
  readonly reason: DisruptionReason
  readonly byPool: ReadonlyMap<string, PoolBudget>
  readonly #left = new Map<string, number>()
  readonly #blockers = new Map<string, MoveBlocker>()
  readonly #now: Milliseconds

  /** `counts` contains the node counts of each pool, as `countNodes` returns them. */
  constructor(
    reason: DisruptionReason,
    pools: Iterable<NodePool>,
    counts: ReadonlyMap<string, PoolCount>,
    now: Milliseconds,
  ) {
    this.reason = reason
    this.#now = now
    const byPool = new Map<string, PoolBudget>()
    for (const pool of pools) {
      const name = pool.metadata.name
      const count = counts.get(name) ?? { total: 0, disrupting: 0 }
      const allowance = budgetAllowance(pool, reason, count.total, now)
      byPool.set(name, { pool, allowance, ...count })
      this.#left.set(name, Math.max(0, allowance.allowed - count.disrupting))
    }
    this.byPool = byPool
  }

  left(pool: string): number {
    return this.#left.get(pool) ?? 0
  }

  /** Returns a copy of the remaining budgets, which a search may modify. */
  get slots(): ReadonlyMap<string, number> {
    return new Map(this.#left)
  }

  /** Takes one node from the budget. Returns false if none is left. */
  take(pool: string): boolean {
    const left = this.left(pool)
    if (left > 0) this.#left.set(pool, left - 1)
    return left > 0
  }

  /** Returns why no node of the pool may be disrupted for this reason, or undefined if the budget is not used up. */
  blocker(pool: string): MoveBlocker | undefined {
    if (this.left(pool) > 0) return undefined
    const found = this.byPool.get(pool)
    if (found === undefined) return undefined
    // Computed once per pool, because this function is called for every node of the pool.
    const blocker = this.#blockers.get(pool) ?? this.#blockerOf(pool, found)
    this.#blockers.set(pool, blocker)
    return blocker
  }

  #blockerOf(name: string, { pool, allowance, total, disrupting }: PoolBudget): MoveBlocker {
    const { allowed, error } = allowance
    const opens = opensAt(pool, this.reason, total, disrupting, this.#now)
    return {
      code: 'budget.exhausted',
      pool: name,
      reason: this.reason,
      allowed: Math.min(allowed, UNLIMITED),
      disrupting,
      // Nodes that this pass has already chosen count as disrupting.
      budgets: closedBudgets(pool, this.reason, total, Math.max(allowed, disrupting), this.#now),
      ...(opens === undefined ? {} : { opensAt: opens }),
      ...(error === undefined ? {} : { error }),
    }
  }
}

/** Returns the time at which the claim drifted, as a sort key. Kerf disrupts the nodes that drifted first. */
export const driftedSince = (claim: Parameters<typeof findCondition>[0]): string =>
  findCondition(claim, 'Drifted')?.lastTransitionTime ?? ''
