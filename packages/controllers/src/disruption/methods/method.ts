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

/** The dependencies of searches, in addition to the pass. */
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
 * The status of a node: its blocker, or `disruptable` if other nodes merely come first. `unknown` means that only a simulation could
 * determine the status, and that this pass did not run it.
 */
export type DisruptionStatus = Blocker | 'disruptable' | 'unknown'

/**
 * The texts and checks with which a disruption method explains its verdict on a single node in `kerf explain node`, conditions and metrics.
 */
export interface MethodExplanation {
  /** The heading of the disruption method in `kerf explain node`. */
  readonly title: string
  /** Returns whether this is the disruption method that would disrupt the candidate. Exactly one method returns true. */
  readonly isFor: (candidate: Candidate) => boolean
  /** Returns what the pass found out about a candidate that has no other blockers. Runs no simulation. */
  readonly found: (candidate: Candidate, pass: DisruptionPass) => DisruptionStatus
  /** Returns the command that would disrupt only this candidate, or its blocker. Absent if the budgets alone decide. */
  readonly simulate?: (
    candidate: Candidate,
    pass: DisruptionPass,
    signal: AbortSignal,
  ) => Promise<Command | Blocker | undefined>
}

/**
 * A disruption method: one way to choose nodes to disrupt (`docs/spec/disruption.md#the-loop`). The object contains everything that the
 * rest of Kerf needs to know about the method. To add a method, write a file with one of these objects, and add a line to `methods.ts`.
 */
export interface DisruptionMethod {
  /** The name in the JSON output of `kerf explain node` and in log lines. */
  readonly name: string
  readonly reason: DisruptionReason
  readonly class: DisruptionClass
  readonly consolidationType: ConsolidationType
  /**
   * Whether a command must still be valid after 15 s before it starts. `each-node`: the nodes that are still valid are disrupted. `whole`:
   * either all nodes are disrupted or none.
   */
  readonly validation: 'none' | 'each-node' | 'whole'
  /** `after-change`: a search that found nothing is repeated only after a change that could lead to another result. */
  readonly searches: 'every-pass' | 'after-change'
  /** Returns why the disruption method may not take a candidate, in the order of the checks (`docs/spec/disruption.md#eligibility`). */
  readonly eligibility: (candidate: Candidate, state: ClusterState) => readonly EligibilityBlocker[]
  /**
   * Searches among eligible candidates. Returns the commands to start, best first. Returns an empty list if there is nothing to do, and
   * undefined if the method could not search. Subtracts the nodes of the returned commands from the budgets.
   */
  readonly search: (
    scope: SearchScope,
    tools: MethodTools,
    signal: AbortSignal,
  ) => Promise<readonly Command[] | undefined>
  /** Absent if the disruption method does not handle single nodes. */
  readonly explanation?: MethodExplanation
}
