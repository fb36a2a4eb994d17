import { isConditionTrue } from '@kerf/apis'
import { BALANCED_THRESHOLD, type Blocker, balancedScore, type DisruptionReason } from '@kerf/engine'
import { isStatic } from '../../provisioning/launchable-pools.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import { type Assessment, blockersFor } from '../candidates/assessment.ts'
import { type Candidate, isEmpty, policyOf } from '../candidates/candidate.ts'
import type { Command, MethodName } from '../commands/command.ts'
import { eligibility } from '../methods/eligibility.ts'
import { isHopeless, judge } from '../methods/scoring.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'

/**
 * How things stand with a node: what keeps it, or that nothing does and it goes when its turn comes. `unknown` where that
 * takes a question that nobody had reason to ask in the round: nothing changed since it was answered last.
 */
export type DisruptionStatus = Blocker | 'disruptable' | 'unknown'

export type BudgetsByReason = Readonly<Record<DisruptionReason, PoolBudgets>>

export const budgetsByReason = (round: Pick<DisruptionPass, 'budgets'>): BudgetsByReason => ({
  Underutilized: round.budgets('Underutilized'),
  Empty: round.budgets('Empty'),
  Drifted: round.budgets('Drifted'),
})

const isDrifted = ({ state }: Assessment): boolean =>
  state.claim !== undefined && isConditionTrue(state.claim, 'Drifted')

const methodFor = (assessment: Assessment, candidate: Candidate): readonly [MethodName, DisruptionReason] => {
  if (isDrifted(assessment)) return [isStatic(candidate.pool) ? 'static-drift' : 'drift', 'Drifted']
  return isEmpty(candidate) ? ['emptiness', 'Empty'] : ['single-node', 'Underutilized']
}

/** The first thing in the way of the method that the node is a case for, as far as it takes no question. */
export const upfrontBlocker = (
  assessment: Assessment,
  state: ClusterState,
  budgets: BudgetsByReason,
): Blocker | undefined => {
  const [blocker] = blockersFor(assessment, isDrifted(assessment) ? 'eventual' : 'graceful')
  const { candidate } = assessment
  if (blocker !== undefined || candidate === undefined) return blocker
  const [method, reason] = methodFor(assessment, candidate)
  return eligibility(method, candidate, state)[0] ?? budgets[reason].blocker(candidate.poolName)
}

/** A move that was found for a node, unless something beyond the move keeps it. */
export const moveOrBlocker = (
  found: Command | Blocker,
  candidate: Candidate,
  round: Pick<DisruptionPass, 'totals' | 'undoneBefore'>,
): Command | Blocker => {
  if ('code' in found) return found
  const undone = round.undoneBefore([candidate])
  if (undone !== undefined) return undone
  if (policyOf(candidate.pool) !== 'Balanced' || judge(found, round).approved) return found
  return scoreBlocker(candidate, found.savings, round)
}

const scoreBlocker = (
  { poolName, disruption }: Candidate,
  savings: number,
  { totals }: Pick<DisruptionPass, 'totals'>,
): Blocker => {
  const { score } = balancedScore(savings, disruption, totals.get(poolName))
  return { code: 'score.too-low', pool: poolName, score, threshold: BALANCED_THRESHOLD }
}

/** How things stand with a node after the methods of a round were asked. Asks nothing itself. */
export const statusOf = (
  assessment: Assessment,
  round: DisruptionPass,
  state: ClusterState,
  budgets: BudgetsByReason,
): DisruptionStatus => {
  const blocker = upfrontBlocker(assessment, state, budgets)
  if (blocker !== undefined) return blocker
  const { candidate } = assessment
  if (candidate === undefined) return 'unknown'
  if (isDrifted(assessment)) return round.driftObstacles.get(candidate) ?? 'disruptable'
  if (isEmpty(candidate)) return 'disruptable'
  const alone = round.knownAlone(candidate)
  if (alone === undefined) {
    return isHopeless(candidate, round) ? scoreBlocker(candidate, candidate.price, round) : 'unknown'
  }
  const move = moveOrBlocker(alone.found, candidate, round)
  return 'code' in move ? move : 'disruptable'
}
