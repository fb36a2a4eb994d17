import type { Blocker, DisruptionReason, EligibilityBlocker } from '@kerf/engine'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import type { DisruptionClass } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Command, ConsolidationType } from '../commands/command.ts'
import type { DisruptionEvents } from '../commands/disruption-events.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import type { Targets } from '../target/target-nodes.ts'

/** The dependencies of searches that are not part of the pass. */
export interface MethodTools {
  readonly state: ClusterState
  readonly events: DisruptionEvents
  readonly metrics: DisruptionMetrics
  readonly targets: Targets
}

/** The input of a search. */
export interface SearchScope {
  readonly candidates: readonly Candidate[]
  readonly pass: DisruptionPass
  readonly budgets: PoolBudgets
}

/**
 * The status of a node: its blocker, or `disruptable` if Kerf only disrupts other nodes first. `unknown` means that the status depends on a
 * simulation that this pass did not run.
 */
export type DisruptionStatus = Blocker | 'disruptable' | 'unknown'

/** The texts and checks that `kerf explain node`, conditions and metrics use to explain a disruption method's verdict on a single node. */
export interface MethodExplanation {
  /** The heading of the disruption method in `kerf explain node`. */
  readonly title: string
  /** Returns whether this disruption method would disrupt the candidate. For each candidate, exactly one method returns true. */
  readonly isFor: (candidate: Candidate) => boolean
  /** Returns the status that the pass has found for a candidate without other blockers. Runs no simulation. */
  readonly found: (candidate: Candidate, pass: DisruptionPass) => DisruptionStatus
  /** Returns the command that would disrupt only this candidate, or the blocker. Absent if only budgets can block the candidate. */
  readonly simulate?: (
    candidate: Candidate,
    pass: DisruptionPass,
    signal: AbortSignal,
  ) => Promise<Command | Blocker | undefined>
}

/**
 * A disruption method: one way to choose nodes to disrupt (`docs/spec/disruption.md#the-loop`). This object is the only interface between
 * the method and the rest of Kerf. To add a method, write a file with such an object, and add a line to `methods.ts`.
 */
export interface DisruptionMethod {
  /** The name in the JSON output of `kerf explain node` and in log lines. */
  readonly name: string
  readonly reason: DisruptionReason
  readonly class: DisruptionClass
  readonly consolidationType: ConsolidationType
  /**
   * Whether a command must still be valid after 15 s before it starts. With `each-node`, Kerf disrupts the nodes that are still valid. With
   * `whole`, it disrupts either all nodes or none.
   */
  readonly validation: 'none' | 'each-node' | 'whole'
  /** With `after-change`, a search that found nothing is repeated only after a change that could lead to another result. */
  readonly searches: 'every-pass' | 'after-change'
  /** Returns why the disruption method must not disrupt a candidate, in the order of the checks (`docs/spec/disruption.md#eligibility`). */
  readonly eligibility: (candidate: Candidate, state: ClusterState) => readonly EligibilityBlocker[]
  /**
   * Searches among eligible candidates and returns the commands to start, best first. Returns an empty list if there is nothing to do, and
   * undefined if the method could not search. Subtracts the nodes of the returned commands from the budgets.
   */
  readonly search: (
    scope: SearchScope,
    tools: MethodTools,
    signal: AbortSignal,
  ) => Promise<readonly Command[] | undefined>
  /** Absent if the disruption method never disrupts a single node. */
  readonly explanation?: MethodExplanation
}
