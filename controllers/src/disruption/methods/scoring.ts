import { balancedScore, judgeMove, type MoveVerdict } from '@kerf/engine'
import { type Candidate, policyOf, snakeCase } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'

/** Whether the Balanced pools that a command touches agree to it. */
export const judge = (command: Command, round: Pick<DisruptionPass, 'totals'>): MoveVerdict =>
  judgeMove(
    command.candidates.map(({ pool, poolName, price, disruption }) => ({
      pool: poolName,
      isBalanced: policyOf(pool) === 'Balanced',
      price,
      disruption,
    })),
    command.savings,
    round.totals,
  )

/** Too little to be saved by the whole node for what it disturbs, whatever replaces it. */
export const isHopeless = (
  { pool, poolName, price, disruption }: Candidate,
  { totals }: Pick<DisruptionPass, 'totals'>,
): boolean => {
  const sums = policyOf(pool) === 'Balanced' ? totals.get(poolName) : undefined
  return sums !== undefined && sums.price > 0 && !balancedScore(price, disruption, sums).approved
}

/** Counts a considered move once for each pool, with its score where there is one. */
export const countMove = (metrics: DisruptionMetrics, command: Command, verdict: MoveVerdict): void => {
  const decision = verdict.approved ? 'approved' : 'rejected'
  const pools = new Map(command.candidates.map(({ poolName, pool }) => [poolName, pool]))
  for (const [nodepool, pool] of pools) {
    const labels = { decision, nodepool, policy: snakeCase(policyOf(pool)) }
    metrics.moves.inc(labels)
    const score = verdict.pools.get(nodepool)?.score
    if (score !== undefined && Number.isFinite(score)) metrics.score.observe(score, labels)
  }
}
