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

/** What searches read and report to besides the pass. */
export interface MethodTools {
  readonly state: ClusterState
  readonly events: DisruptionEvents
  readonly metrics: DisruptionMetrics
  readonly targets: Targets
}

/** What a search looks at. */
export interface SearchScope {
  readonly candidates: readonly Candidate[]
  readonly pass: DisruptionPass
  readonly budgets: PoolBudgets
}

/**
 * What keeps a node from being disrupted, or that nothing does and it is disrupted when its turn comes. `unknown` where a
 * simulation would tell that nothing gave reason for in this pass.
 */
export type DisruptionStatus = Blocker | 'disruptable' | 'unknown'

/** How a method explains what it makes of one node: for `kerf explain node`, conditions and metrics. */
export interface MethodExplanation {
  /** Heads the method's rows in `kerf explain node`. */
  readonly title: string
  /** Whether this is the method that would disrupt the candidate. Of all methods exactly one says so. */
  readonly isFor: (candidate: Candidate) => boolean
  /** What the pass found out about a candidate that nothing else keeps. Simulates nothing. */
  readonly found: (candidate: Candidate, pass: DisruptionPass) => DisruptionStatus
  /** The command that would disrupt the candidate by itself, or what keeps it; nothing where budgets alone decide. */
  readonly simulate?: (
    candidate: Candidate,
    pass: DisruptionPass,
    signal: AbortSignal,
  ) => Promise<Command | Blocker | undefined>
}

/**
 * One way to choose nodes to disrupt (`docs/spec/disruption.md#the-loop`), with everything that the rest of Kerf needs
 * to know of it. A new method is a file with one such object, and a line in `methods.ts`.
 */
export interface DisruptionMethod {
  /** As `kerf explain node -o json` and log lines have it. */
  readonly name: string
  readonly reason: DisruptionReason
  readonly class: DisruptionClass
  readonly consolidationType: ConsolidationType
  /**
   * Whether a command begins only after it has been right for 15 s. `each-node`: what is left of it begins; `whole`: all
   * of it or nothing.
   */
  readonly validation: 'none' | 'each-node' | 'whole'
  /** `after-change`: a search that found nothing is repeated only when something changed that could make a difference. */
  readonly searches: 'every-pass' | 'after-change'
  /** What keeps the method from a candidate, in the order of the checks (`docs/spec/disruption.md#eligibility`). */
  readonly eligibility: (candidate: Candidate, state: ClusterState) => readonly EligibilityBlocker[]
  /**
   * The commands to begin now, best first; none when there is nothing to do, nothing at all when it could not search.
   * Takes from the budgets what it uses. The candidates are eligible.
   */
  readonly search: (
    scope: SearchScope,
    tools: MethodTools,
    signal: AbortSignal,
  ) => Promise<readonly Command[] | undefined>
  /** Absent for a method that is not about one node. */
  readonly explanation?: MethodExplanation
}
