import type { UsdPerHour } from '@kerf/apis'

/** A move is approved if its share of the savings is at least `1 / BALANCED_K` times its share of the disruption. */
export const BALANCED_K = 2
export const BALANCED_THRESHOLD = 1 / BALANCED_K
/** The disruption cost of a node without pods. */
export const NODE_BASE_COST = 1

/** The total price of a pool's nodes, and the total cost of disrupting all of them. */
export interface PoolTotals {
  readonly price: UsdPerHour
  readonly disruption: number
}

export interface BalancedScore {
  readonly score: number
  readonly savingsShare: number
  readonly disruptionShare: number
  readonly approved: boolean
}

/** Returns the value, or 0 if it is not finite, so that sums stay finite. */
const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

/**
 * Returns the score of a move: the share of the pool's price that the move saves, divided by the share of the pool's disruption cost that
 * the move causes.
 */
export const balancedScore = (
  savings: UsdPerHour,
  disruption: number,
  totals: PoolTotals | undefined,
  threshold: number = BALANCED_THRESHOLD,
): BalancedScore => {
  const price = finite(totals?.price ?? 0)
  const all = finite(totals?.disruption ?? 0)
  const isKnown = price > 0 && all > 0
  const savingsShare = isKnown ? finite(savings) / price : 0
  const disruptionShare = isKnown ? finite(disruption) / all : 0
  const score =
    savingsShare <= 0 ? 0 : disruptionShare === 0 ? Number.POSITIVE_INFINITY : savingsShare / disruptionShare
  return { score, savingsShare, disruptionShare, approved: score >= threshold }
}

/** A node that a move removes, and the values for its score. */
export interface ScoredSource {
  readonly pool: string
  readonly isBalanced: boolean
  readonly price: UsdPerHour
  readonly disruption: number
}

export interface MoveVerdict {
  readonly approved: boolean
  /** The score of each Balanced pool that the move affects, by the pool's name. */
  readonly pools: ReadonlyMap<string, BalancedScore>
}

/**
 * Returns whether a move saves enough for its disruption in every affected pool with the Balanced policy
 * (`docs/spec/disruption.md#balanced-scoring`). The savings are divided among the pools in proportion to the prices of their nodes. Pools
 * with another policy have no score. A move that removes no nodes is never approved.
 */
export const judgeMove = (
  sources: readonly ScoredSource[],
  savings: UsdPerHour,
  totals: ReadonlyMap<string, PoolTotals>,
): MoveVerdict => {
  const byPool = new Map<string, { price: UsdPerHour; disruption: number; isBalanced: boolean }>()
  let price = 0
  for (const source of sources) {
    const pool = byPool.get(source.pool) ?? { price: 0, disruption: 0, isBalanced: source.isBalanced }
    pool.price += finite(source.price)
    pool.disruption += finite(source.disruption)
    price += finite(source.price)
    byPool.set(source.pool, pool)
  }
  const pools = new Map<string, BalancedScore>()
  for (const [name, pool] of byPool) {
    if (!pool.isBalanced) continue
    const share = byPool.size > 1 && price > 0 ? savings * (pool.price / price) : savings
    pools.set(name, balancedScore(share, pool.disruption, totals.get(name)))
  }
  return { approved: sources.length > 0 && [...pools.values()].every(({ approved }) => approved), pools }
}

/** Returns the score as text for a `ConsolidationApproved` event. */
export const describeScore = ({ score, savingsShare, disruptionShare }: BalancedScore): string => {
  const value = Number.isFinite(score) ? score.toFixed(2) : '+Inf'
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`
  return `score ${value} >= threshold ${BALANCED_THRESHOLD.toFixed(2)} (k: ${BALANCED_K}, savings ${percent(savingsShare)}, disruption ${percent(disruptionShare)})`
}
