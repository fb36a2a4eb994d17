/**
 * The type of a metric family. This file lists the families of `docs/spec/metrics.md`, one line for each row of its tables. Users'
 * dashboards and alerts depend on them.
 */
export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary'

export interface MetricFact {
  readonly name: string
  readonly type: MetricType
  readonly labels: readonly string[]
  /** The bucket bounds of a histogram, or the quantiles of a summary. */
  readonly bounds?: readonly number[]
}

const doubling = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first * 2 ** index)
const days = (...numbers: readonly number[]): readonly number[] => numbers.map((number) => number * 86_400)
const hours = (...numbers: readonly number[]): readonly number[] => numbers.map((number) => number * 3_600)

/** The bucket bounds in `docs/spec/metrics.md#buckets-and-quantiles`. */
export const DUR45 = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60, 120, 150, 300, 450, 600,
] as const
const DEF = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const EXP11 = doubling(1, 11)
const EXP12 = doubling(1, 12)
const COND = doubling(0.5, 15)
const LIFE = [900, 1_800, 2_700, ...hours(1, 2, 4, 6, 8, 10, 12, 16, 20), ...days(1, 2, 3, 5, 10, 15, 20, 25, 30)]
const SCORE = [0.1, 0.25, 0.33, 0.5, 1, 2, 5, 10] as const
const QUANT = [0, 0.5, 0.9, 0.99, 1] as const
export const SIZE = [
  1, 2, 4, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 125, 150, 175, 200, 225, 250, 275, 300, 350, 400, 450,
  500, 550, 600, 700, 800, 900, 1000,
] as const
/** The twenty bucket bounds of `client_go_request_duration_seconds`, with six digits. */
const REQUEST = Array.from({ length: 20 }, (_, step) => Number((0.001 * 1.5 ** step).toPrecision(6)))

/** The labels of node metrics: one for each well-known label of core and of the KWOK provider, and three more. */
const NODE = [
  'nodepool',
  'zone',
  'region',
  'instance_type',
  'arch',
  'os',
  'capacity_type',
  'windows_build',
  'instance_size',
  'instance_family',
  'instance_cpu',
  'instance_memory',
  'node_name',
  'phase',
  'managed',
] as const

export const counter = (name: string, ...labels: readonly string[]): MetricFact => ({
  name: `karpenter_${name}`,
  type: 'counter',
  labels,
})
export const gauge = (name: string, ...labels: readonly string[]): MetricFact => ({
  name: `karpenter_${name}`,
  type: 'gauge',
  labels,
})
export const histogram = (name: string, bounds: readonly number[], ...labels: readonly string[]): MetricFact => ({
  name: `karpenter_${name}`,
  type: 'histogram',
  labels,
  bounds,
})
const summary = (name: string, ...labels: readonly string[]): MetricFact => ({
  name: `karpenter_${name}`,
  type: 'summary',
  labels,
  bounds: QUANT,
})

/** The metrics in `docs/spec/metrics.md#core-metrics` without `build_info`, which the process itself publishes. */
export const coreMetrics: readonly MetricFact[] = [
  counter('nodeclaims_created_total', 'reason', 'nodepool', 'min_values_relaxed'),
  counter('nodeclaims_terminated_total', 'nodepool', 'capacity_type', 'zone'),
  counter(
    'nodeclaims_disrupted_total',
    'reason',
    'nodepool',
    'capacity_type',
    'consolidation_policy',
    'termination_mode',
  ),
  counter('nodeclaims_unhealthy_disrupted_total', 'condition', 'nodepool', 'capacity_type', 'image_id'),
  histogram('nodeclaims_instance_termination_duration_seconds', EXP11, 'nodepool'),
  histogram('nodeclaims_termination_duration_seconds', EXP12, 'nodepool'),
  counter('nodes_created_total', 'nodepool', 'zone'),
  counter('nodes_terminated_total', 'nodepool', 'zone'),
  counter('nodes_drained_total', 'nodepool'),
  summary('nodes_termination_duration_seconds', 'nodepool'),
  histogram('nodes_lifetime_duration_seconds', LIFE, 'nodepool'),
  gauge('nodes_allocatable', ...NODE, 'resource_type'),
  gauge('nodes_total_pod_requests', ...NODE, 'resource_type'),
  gauge('nodes_total_pod_limits', ...NODE, 'resource_type'),
  gauge('nodes_total_daemon_requests', ...NODE, 'resource_type'),
  gauge('nodes_total_daemon_limits', ...NODE, 'resource_type'),
  gauge('nodes_system_overhead', ...NODE, 'resource_type'),
  gauge('nodes_current_lifetime_seconds', ...NODE),
  gauge('cluster_utilization_percent', 'resource_type'),
  gauge('nodepools_usage', 'resource_type', 'nodepool'),
  gauge('nodepools_limit', 'resource_type', 'nodepool'),
  gauge('nodepools_cost_total', 'nodepool'),
  counter('nodepools_cost_tracker_errors_total', 'nodepool'),
  gauge('nodepools_allowed_disruptions', 'nodepool', 'reason'),
  gauge('nodepools_nodes_consuming_budgets', 'nodepool', 'reason'),
  gauge(
    'pods_state',
    'name',
    'namespace',
    'owner',
    'node',
    'scheduled',
    'nodepool',
    'zone',
    'arch',
    'capacity_type',
    'instance_type',
    'phase',
    'ready',
    'managed',
  ),
  summary('pods_startup_duration_seconds'),
  gauge('pods_unstarted_time_seconds', 'name', 'namespace'),
  histogram('pods_bound_duration_seconds', DUR45),
  gauge('pods_unbound_time_seconds', 'name', 'namespace'),
  histogram('pods_provisioning_bound_duration_seconds', DUR45),
  gauge('pods_provisioning_unbound_time_seconds', 'name', 'namespace'),
  histogram('pods_provisioning_startup_duration_seconds', DUR45),
  gauge('pods_provisioning_unstarted_time_seconds', 'name', 'namespace'),
  gauge('pods_provisioning_scheduling_undecided_time_seconds', 'name', 'namespace'),
  histogram('pods_scheduling_decision_duration_seconds', DUR45),
  counter('pods_eviction_requests_total', 'code'),
  counter('pods_drained_total', 'reason'),
  counter(
    'pods_disruption_initiated_total',
    'reason',
    'nodepool',
    'capacity_type',
    'consolidation_policy',
    'termination_mode',
  ),
  histogram('voluntary_disruption_decision_evaluation_duration_seconds', DUR45, 'reason', 'consolidation_type'),
  counter('voluntary_disruption_decisions_total', 'decision', 'reason', 'consolidation_type'),
  counter('voluntary_disruption_decisions_by_nodepool_total', 'nodepool', 'decision', 'reason', 'consolidation_type'),
  gauge('voluntary_disruption_eligible_nodes', 'reason'),
  counter('voluntary_disruption_consolidation_timeouts_total', 'consolidation_type'),
  counter('voluntary_disruption_failed_validations_total', 'consolidation_type'),
  counter('voluntary_disruption_queue_failures_total', 'decision', 'reason', 'consolidation_type'),
  histogram('consolidation_score', SCORE, 'decision', 'nodepool', 'policy'),
  counter('consolidation_moves_total', 'decision', 'nodepool', 'policy'),
  histogram('scheduler_scheduling_duration_seconds', DUR45, 'controller'),
  gauge('scheduler_queue_depth', 'controller', 'scheduling_id'),
  gauge('scheduler_unfinished_work_seconds', 'controller', 'scheduling_id'),
  gauge('scheduler_ignored_pods_count'),
  gauge('scheduler_unschedulable_pods_count', 'controller'),
  gauge('scheduler_pending_pods_by_effective_zone_count', 'controller', 'zone'),
  gauge('cluster_state_node_count'),
  gauge('cluster_state_synced'),
  gauge('cluster_state_unsynced_time_seconds'),
  histogram('cloudprovider_duration_seconds', DEF, 'controller', 'method', 'provider'),
  counter('cloudprovider_errors_total', 'controller', 'method', 'provider', 'error'),
]

const conditionFamilies = (
  prefix: string,
  bounds: readonly number[],
  ...extra: readonly string[]
): readonly MetricFact[] => [
  {
    name: `${prefix}_status_condition_count`,
    type: 'gauge',
    labels: ['namespace', 'name', 'type', 'status', 'reason', ...extra],
  },
  {
    name: `${prefix}_status_condition_current_status_seconds`,
    type: 'gauge',
    labels: ['namespace', 'name', 'type', 'status', 'reason', ...extra],
  },
  {
    name: `${prefix}_status_condition_transitions_total`,
    type: 'counter',
    labels: ['type', 'status', 'reason', ...extra],
  },
  {
    name: `${prefix}_status_condition_transition_seconds`,
    type: 'histogram',
    labels: ['type', 'status', ...extra],
    bounds,
  },
  { name: `${prefix}_termination_current_time_seconds`, type: 'gauge', labels: ['namespace', 'name', ...extra] },
  { name: `${prefix}_termination_duration_seconds`, type: 'histogram', labels: extra, bounds },
]

/**
 * The metrics in `docs/spec/metrics.md#status-condition-metrics` for a provider whose node classes have this kind. Each kind has its own
 * families.
 */
export const conditionMetricsFor = (nodeClass: string, nodeClassLabel: string): readonly MetricFact[] => [
  ...conditionFamilies('operator_nodeclaim', COND, nodeClassLabel, 'karpenter_sh_nodepool'),
  ...conditionFamilies('operator_nodepool', COND),
  ...conditionFamilies('operator_node', COND, nodeClassLabel, 'karpenter_sh_nodepool', 'karpenter_sh_initialized'),
  ...conditionFamilies(`operator_${nodeClass}`, DEF),
  ...conditionFamilies('operator', DEF, 'group', 'kind'),
]

/** The metrics in `docs/spec/metrics.md#status-condition-metrics` with the KWOK provider. */
export const conditionMetrics = conditionMetricsFor('kwoknodeclass', 'karpenter_kwok_sh_kwoknodeclass')

/** The metrics in `docs/spec/metrics.md#status-condition-metrics` with the feature gate CapacityBuffer. */
export const bufferMetrics = conditionFamilies('operator_capacitybuffer', COND)

/** A metric family. Labels and bounds are absent if the table does not give them. */
export type ProcessFact = Pick<MetricFact, 'name' | 'type'> & Partial<Pick<MetricFact, 'labels' | 'bounds'>>

const perController = (name: string, type: MetricType): ProcessFact => ({
  name: `controller_runtime_${name}`,
  type,
  labels: ['controller'],
})
const perQueue = (name: string, type: MetricType): ProcessFact => ({ name: `workqueue_${name}`, type })

/**
 * The metrics in `docs/spec/metrics.md#core-metrics` and `docs/spec/metrics.md#framework-metrics` that the process publishes in addition to
 * those of its controllers.
 */
export const processMetrics: readonly ProcessFact[] = [
  { name: 'karpenter_build_info', type: 'gauge', labels: ['version', 'goversion', 'goarch', 'commit'] },
  { name: 'client_go_request_total', type: 'counter', labels: ['code', 'method'] },
  {
    name: 'client_go_request_duration_seconds',
    type: 'histogram',
    labels: ['verb', 'group', 'version', 'kind', 'subresource'],
    bounds: REQUEST,
  },
  { name: 'controller_runtime_reconcile_total', type: 'counter', labels: ['controller', 'result'] },
  perController('reconcile_errors_total', 'counter'),
  perController('reconcile_panics_total', 'counter'),
  perController('reconcile_timeouts_total', 'counter'),
  perController('terminal_reconcile_errors_total', 'counter'),
  perController('reconcile_time_seconds', 'histogram'),
  perController('active_workers', 'gauge'),
  perController('max_concurrent_reconciles', 'gauge'),
  perController('conversion_webhook_panics_total', 'counter'),
  perQueue('depth', 'gauge'),
  perQueue('adds_total', 'counter'),
  perQueue('retries_total', 'counter'),
  perQueue('queue_duration_seconds', 'histogram'),
  perQueue('work_duration_seconds', 'histogram'),
  perQueue('unfinished_work_seconds', 'gauge'),
  perQueue('longest_running_processor_seconds', 'gauge'),
  { name: 'leader_election_master_status', type: 'gauge', labels: ['name'] },
  { name: 'leader_election_slowpath_total', type: 'counter', labels: ['name'] },
]
