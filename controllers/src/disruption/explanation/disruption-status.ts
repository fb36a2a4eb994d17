import { type Blocker, type DisruptionReason, disruptionReasons, type Steps } from '@kerf/engine'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import { type Assessment, blockersFor } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { isDrifted } from '../methods/eligibility-checks.ts'
import type { DisruptionMethod, DisruptionStatus } from '../methods/method.ts'
import { methods } from '../methods/methods.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { NODES_PER_TURN } from '../passes/giving-way.ts'

export type BudgetsByReason = ReadonlyMap<DisruptionReason, PoolBudgets>

export const budgetsByReason = (pass: Pick<DisruptionPass, 'budgets'>): BudgetsByReason =>
  new Map(disruptionReasons.map((reason) => [reason, pass.budgets(reason)]))

/** The method that would disrupt the candidate. */
export const methodFor = (candidate: Candidate): DisruptionMethod | undefined =>
  methods.find(({ explanation }) => explanation?.isFor(candidate) === true)

/** The first thing that keeps the node from the method that would disrupt it, as far as that takes no simulation. */
export const upfrontBlocker = (
  assessment: Assessment,
  state: ClusterState,
  budgets: BudgetsByReason,
): Blocker | undefined => {
  const [blocker] = blockersFor(assessment, isDrifted(assessment) ? 'eventual' : 'graceful')
  const { candidate } = assessment
  if (blocker !== undefined || candidate === undefined) return blocker
  const method = methodFor(candidate)
  if (method === undefined) return undefined
  return method.eligibility(candidate, state)[0] ?? budgets.get(method.reason)?.blocker(candidate.poolName)
}

/** The status of a node after the methods of a pass have searched. Simulates nothing itself. */
const statusOf = (
  assessment: Assessment,
  pass: DisruptionPass,
  state: ClusterState,
  budgets: BudgetsByReason,
): DisruptionStatus => {
  const blocker = upfrontBlocker(assessment, state, budgets)
  if (blocker !== undefined) return blocker
  const { candidate } = assessment
  if (candidate === undefined) return 'unknown'
  return methodFor(candidate)?.explanation?.found(candidate, pass) ?? 'unknown'
}

/** The statuses of all nodes of a pass, a few hundred a step. */
export function* statusesOf(
  pass: DisruptionPass,
  state: ClusterState,
): Steps<readonly (readonly [Assessment['state'], DisruptionStatus])[]> {
  const budgets = budgetsByReason(pass)
  const statuses: (readonly [Assessment['state'], DisruptionStatus])[] = []
  for (const assessment of pass.assessments) {
    statuses.push([assessment.state, statusOf(assessment, pass, state, budgets)])
    if (statuses.length % NODES_PER_TURN === 0) yield
  }
  return statuses
}
