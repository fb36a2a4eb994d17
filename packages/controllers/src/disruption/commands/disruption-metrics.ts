import { DURATION_BUCKETS } from '@kerf/provider-contract'
import { defineMetrics, type Metrics } from '@kerf/runtime'

const PREFIX = 'karpenter_voluntary_disruption_'

export const disruptionMetrics = defineMetrics({
  evaluation: {
    name: `${PREFIX}decision_evaluation_duration_seconds`,
    type: 'histogram',
    help: 'How long one disruption method took to decide.',
    labels: ['reason', 'consolidation_type'],
    buckets: DURATION_BUCKETS,
  },
  decisions: {
    name: `${PREFIX}decisions_total`,
    type: 'counter',
    help: 'Disruption commands started.',
    labels: ['decision', 'reason', 'consolidation_type'],
  },
  decisionsByPool: {
    name: `${PREFIX}decisions_by_nodepool_total`,
    type: 'counter',
    help: 'Disruption commands started, counted once for each NodePool of their candidates.',
    labels: ['nodepool', 'decision', 'reason', 'consolidation_type'],
  },
  eligible: {
    name: `${PREFIX}eligible_nodes`,
    type: 'gauge',
    help: 'Nodes that may be disrupted, by reason.',
    labels: ['reason'],
  },
  timeouts: {
    name: `${PREFIX}consolidation_timeouts_total`,
    type: 'counter',
    help: 'Consolidation searches that timed out. Always 0: every pass evaluates all candidates.',
    labels: ['consolidation_type'],
  },
  failedValidations: {
    name: `${PREFIX}failed_validations_total`,
    type: 'counter',
    help: 'Candidates whose command failed validation.',
    labels: ['consolidation_type'],
  },
  queueFailures: {
    name: `${PREFIX}queue_failures_total`,
    type: 'counter',
    help: 'Commands whose replacement nodes were not initialized in time.',
    labels: ['decision', 'reason', 'consolidation_type'],
  },
  allowed: {
    name: 'karpenter_nodepools_allowed_disruptions',
    type: 'gauge',
    help: 'Nodes that the budgets of a NodePool allow to be disrupted at a time.',
    labels: ['nodepool', 'reason'],
  },
  consuming: {
    name: 'karpenter_nodepools_nodes_consuming_budgets',
    type: 'gauge',
    help: 'Nodes that count against budgets because they are not ready or are being deleted.',
    labels: ['nodepool', 'reason'],
  },
  score: {
    name: 'karpenter_consolidation_score',
    type: 'histogram',
    help: 'Scores of consolidation moves in Balanced NodePools.',
    labels: ['decision', 'nodepool', 'policy'],
    buckets: [0.1, 0.25, 0.33, 0.5, 1, 2, 5, 10],
  },
  moves: {
    name: 'karpenter_consolidation_moves_total',
    type: 'counter',
    help: 'Consolidation moves considered.',
    labels: ['decision', 'nodepool', 'policy'],
  },
})

/** The metrics of disruption, with the names of upstream (`docs/spec/metrics.md#core-metrics`). */
export class DisruptionMetrics {
  readonly evaluation
  readonly decisions
  readonly decisionsByPool
  readonly eligible
  readonly failedValidations
  readonly queueFailures
  readonly allowed
  readonly consuming
  readonly score
  readonly moves
  readonly #timeouts

  constructor(metrics: Metrics) {
    const registered = disruptionMetrics.register(metrics)
    this.evaluation = registered.evaluation
    this.decisions = registered.decisions
    this.decisionsByPool = registered.decisionsByPool
    this.eligible = registered.eligible
    this.#timeouts = registered.timeouts
    this.failedValidations = registered.failedValidations
    this.queueFailures = registered.queueFailures
    this.allowed = registered.allowed
    this.consuming = registered.consuming
    this.score = registered.score
    this.moves = registered.moves
  }

  /**
   * Initializes the timeout counter to 0 for a disruption method that cannot time out. Alerts that were written for upstream read this
   * counter.
   */
  neverTimesOut(consolidationType: string): void {
    this.#timeouts.inc({ consolidation_type: consolidationType }, 0)
  }
}
