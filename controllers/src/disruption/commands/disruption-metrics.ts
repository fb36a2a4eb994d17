import { DURATION_BUCKETS } from '@kerf/provider-contract'
import type { Metrics } from '@kerf/runtime'

const PREFIX = 'karpenter_voluntary_disruption_'

/** The metrics of disruption, under upstream's names (`docs/spec/metrics.md#core-metrics`). */
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
    this.evaluation = metrics.histogram({
      name: `${PREFIX}decision_evaluation_duration_seconds`,
      help: 'How long one method of disruption took to decide.',
      labels: ['reason', 'consolidation_type'],
      buckets: DURATION_BUCKETS,
    })
    this.decisions = metrics.counter({
      name: `${PREFIX}decisions_total`,
      help: 'Disruption commands started.',
      labels: ['decision', 'reason', 'consolidation_type'],
    })
    this.decisionsByPool = metrics.counter({
      name: `${PREFIX}decisions_by_nodepool_total`,
      help: 'Disruption commands started, once for each nodepool they touch.',
      labels: ['nodepool', 'decision', 'reason', 'consolidation_type'],
    })
    this.eligible = metrics.gauge({
      name: `${PREFIX}eligible_nodes`,
      help: 'Nodes that may be disrupted, by reason.',
      labels: ['reason'],
    })
    this.#timeouts = metrics.counter({
      name: `${PREFIX}consolidation_timeouts_total`,
      help: 'Searches for consolidations that ran out of time. Stays 0: every candidate is evaluated in every round.',
      labels: ['consolidation_type'],
    })
    this.failedValidations = metrics.counter({
      name: `${PREFIX}failed_validations_total`,
      help: 'Candidates whose command did not hold after the wait.',
      labels: ['consolidation_type'],
    })
    this.queueFailures = metrics.counter({
      name: `${PREFIX}queue_failures_total`,
      help: 'Replacements that did not come up in time.',
      labels: ['decision', 'reason', 'consolidation_type'],
    })
    this.allowed = metrics.gauge({
      name: 'karpenter_nodepools_allowed_disruptions',
      help: 'Nodes that the budgets of a nodepool allow to be disrupted at a time.',
      labels: ['nodepool', 'reason'],
    })
    this.consuming = metrics.gauge({
      name: 'karpenter_nodepools_nodes_consuming_budgets',
      help: 'Nodes that are not ready or on their way out, and count against budgets.',
      labels: ['nodepool', 'reason'],
    })
    this.score = metrics.histogram({
      name: 'karpenter_consolidation_score',
      help: 'Scores of moves in Balanced nodepools.',
      labels: ['decision', 'nodepool', 'policy'],
      buckets: [0.1, 0.25, 0.33, 0.5, 1, 2, 5, 10],
    })
    this.moves = metrics.counter({
      name: 'karpenter_consolidation_moves_total',
      help: 'Consolidation moves considered.',
      labels: ['decision', 'nodepool', 'policy'],
    })
  }

  /** A series for a method that searches without a time-out: upstream's alerts read it. */
  neverTimesOut(consolidationType: string): void {
    this.#timeouts.inc({ consolidation_type: consolidationType }, 0)
  }
}
