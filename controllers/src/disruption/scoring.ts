import { judgeMove, type MoveVerdict } from '@kerf/engine'
import { policyOf, snakeCase } from './candidate.ts'
import type { Command } from './command.ts'
import type { DisruptionMetrics } from './disruption-metrics.ts'
import type { Round } from './round.ts'

/** Whether the Balanced pools that a command touches agree to it. */
export const judge = (command: Command, round: Pick<Round, 'totals'>): MoveVerdict =>
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
