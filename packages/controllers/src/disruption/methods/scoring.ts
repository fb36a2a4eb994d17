import { BALANCED_THRESHOLD, type Blocker, balancedScore, judgeMove, type MoveVerdict } from '@kerf/engine'
import { type Candidate, poolConsolidationPolicy, snakeCase } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'

/** Returns whether the affected Balanced pools approve the command, and the score for each of them. */
export const judge = (command: Command, pass: Pick<DisruptionPass, 'totals'>): MoveVerdict =>
  judgeMove(
    command.candidates.map(({ pool, poolName, price, disruption }) => ({
      pool: poolName,
      isBalanced: poolConsolidationPolicy(pool) === 'Balanced',
      price: price ?? 0,
      disruption,
    })),
    command.savings ?? 0,
    pass.totals,
  )

/** Returns whether no replacement can save enough, because even the full price of the node is too low for its disruption cost. */
export const isHopeless = (
  { pool, poolName, price, disruption }: Candidate,
  { totals }: Pick<DisruptionPass, 'totals'>,
): boolean => {
  const sums = poolConsolidationPolicy(pool) === 'Balanced' ? totals.get(poolName) : undefined
  return sums !== undefined && sums.price > 0 && !balancedScore(price ?? 0, disruption, sums).approved
}

/** Returns the move that the simulation found for a node, or the reason why it is blocked. */
export const moveOrBlocker = (
  found: Command | Blocker,
  candidate: Candidate,
  pass: Pick<DisruptionPass, 'totals' | 'undoneBefore'>,
): Command | Blocker => {
  if ('code' in found) return found
  const undone = pass.undoneBefore([candidate])
  if (undone !== undefined) return undone
  if (poolConsolidationPolicy(candidate.pool) !== 'Balanced' || judge(found, pass).approved) return found
  return scoreBlocker(candidate, found.savings ?? 0, pass)
}

export const scoreBlocker = (
  { poolName, disruption }: Candidate,
  savings: number,
  { totals }: Pick<DisruptionPass, 'totals'>,
): Blocker => {
  const { score } = balancedScore(savings, disruption, totals.get(poolName))
  return { code: 'score.too-low', pool: poolName, score, threshold: BALANCED_THRESHOLD }
}

/** Counts an evaluated move once for each of its pools, and records its score for each pool that has a score. */
export const countMove = (metrics: DisruptionMetrics, command: Command, verdict: MoveVerdict): void => {
  const decision = verdict.approved ? 'approved' : 'rejected'
  const pools = new Map(command.candidates.map(({ poolName, pool }) => [poolName, pool]))
  for (const [nodepool, pool] of pools) {
    const labels = { decision, nodepool, policy: snakeCase(poolConsolidationPolicy(pool)) }
    metrics.moves.inc(labels)
    const score = verdict.pools.get(nodepool)?.score
    if (score !== undefined && Number.isFinite(score)) metrics.score.observe(score, labels)
  }
}
