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

/** The collaborators of searches in addition to the pass. */
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
 * The status of a node: its blocker, or `disruptable` if only its turn has not come. `unknown` if this pass had no reason to
 * run the simulation that would tell.
 */
export type DisruptionStatus = Blocker | 'disruptable' | 'unknown'

/** How a method explains its verdict on one node, for `kerf explain node`, conditions and metrics. */
export interface MethodExplanation {
  /** The heading of the method in `kerf explain node`. */
  readonly title: string
  /** Returns whether this is the method that would disrupt the candidate. Exactly one method returns true. */
  readonly isFor: (candidate: Candidate) => boolean
  /** Returns what the pass found about a candidate without other blockers. Does not simulate. */
  readonly found: (candidate: Candidate, pass: DisruptionPass) => DisruptionStatus
  /** Returns the command that would disrupt only this candidate, or its blocker. Undefined if only budgets decide. */
  readonly simulate?: (
    candidate: Candidate,
    pass: DisruptionPass,
    signal: AbortSignal,
  ) => Promise<Command | Blocker | undefined>
}

/**
 * One way to choose nodes to disrupt (`docs/spec/disruption.md#the-loop`), with everything that the rest of Kerf needs to
 * know about it. A new method is a file with one such object, and a line in `methods.ts`.
 */
export interface DisruptionMethod {
  /** The name in `kerf explain node -o json` and in log lines. */
  readonly name: string
  readonly reason: DisruptionReason
  readonly class: DisruptionClass
  readonly consolidationType: ConsolidationType
  /**
   * Whether a command starts only after it has been valid for 15 s. `each-node` starts the part that is still valid; `whole`
   * starts all of it or nothing.
   */
  readonly validation: 'none' | 'each-node' | 'whole'
  /** With `after-change`, a search that found nothing is repeated only after a change that could make a difference. */
  readonly searches: 'every-pass' | 'after-change'
  /**
   * Returns the blockers of the method for a candidate, in the order of the checks (`docs/spec/disruption.md#eligibility`).
   */
  readonly eligibility: (candidate: Candidate, state: ClusterState) => readonly EligibilityBlocker[]
  /**
   * Returns the commands to start now, best first. Empty if there is nothing to do; undefined if it could not search. Takes
   * what it uses from the budgets. All candidates are eligible.
   */
  readonly search: (
    scope: SearchScope,
    tools: MethodTools,
    signal: AbortSignal,
  ) => Promise<readonly Command[] | undefined>
  /** Absent for a method that does not handle single nodes. */
  readonly explanation?: MethodExplanation
}
