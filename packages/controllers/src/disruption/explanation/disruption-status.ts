import { type Blocker, type DisruptionReason, disruptionReasons, type Steps } from '@kerf/engine'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import { type Assessment, blockersFor } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { NODES_PER_TURN } from '../giving-way.ts'
import { isDrifted } from '../methods/eligibility-checks.ts'
import type { DisruptionMethod, DisruptionStatus } from '../methods/method.ts'
import { methods } from '../methods/methods.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'

export type BudgetsByReason = ReadonlyMap<DisruptionReason, PoolBudgets>

export const budgetsByReason = (pass: Pick<DisruptionPass, 'budgets'>): BudgetsByReason =>
  new Map(disruptionReasons.map((reason) => [reason, pass.budgets(reason)]))

/** Returns the disruption method that would disrupt the candidate, or undefined if none would. */
export const methodFor = (candidate: Candidate): DisruptionMethod | undefined =>
  methods.find(({ explanation }) => explanation?.isFor(candidate) === true)

/** Returns the first blocker of the disruption method that applies to the node, as far as it is known without a simulation. */
export const upfrontBlocker = (
  assessment: Assessment,
  state: ClusterState,
  budgets: BudgetsByReason,
): Blocker | undefined => {
  const { candidate } = assessment
  const method = candidate === undefined ? undefined : methodFor(candidate)
  // No method applies to a node whose NodePool is missing. In this case, drift alone determines which pods may block the node.
  const [blocker] = blockersFor(assessment, method?.class ?? (isDrifted(assessment) ? 'eventual' : 'graceful'))
  if (blocker !== undefined || candidate === undefined || method === undefined) return blocker
  return method.eligibility(candidate, state)[0] ?? budgets.get(method.reason)?.blocker(candidate.poolName)
}

/** Returns the status of a node after the disruption methods of a pass have searched. Runs no simulation. */
const nodeStatus = (
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

/** Computes the statuses of all nodes of a pass. Each step handles a few hundred nodes. */
export function* disruptionStatuses(
  pass: DisruptionPass,
  state: ClusterState,
): Steps<readonly (readonly [Assessment['state'], DisruptionStatus])[]> {
  const budgets = budgetsByReason(pass)
  const statuses: (readonly [Assessment['state'], DisruptionStatus])[] = []
  for (const assessment of pass.assessments) {
    statuses.push([assessment.state, nodeStatus(assessment, pass, state, budgets)])
    if (statuses.length % NODES_PER_TURN === 0) yield
  }
  return statuses
}
