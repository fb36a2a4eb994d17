import { parseLabelSelector, SelectorError, type SelectorRequirement } from '@kerf/apis'
import { defaultFeatureGates, gatesText, parseGates } from './feature-gates.ts'
import type { SettingsOf } from './parse-settings.ts'
import { type DefaultSpreadConstraint, parseSchedulerConfig } from './scheduler-config.ts'
import {
  choice,
  decimal,
  duration,
  flagged,
  integer,
  list,
  parsed,
  percentage,
  SettingValueError,
  text,
} from './setting.ts'

const podSelector = (value: string): readonly SelectorRequirement[] => {
  try {
    return parseLabelSelector(value)
  } catch (error) {
    if (error instanceof SelectorError) throw new SettingValueError(error.message)
    throw error
  }
}

const PORT = { min: 0, max: 65_535 } as const

const cpuRequests = integer({
  env: 'CPU_REQUESTS',
  flag: 'cpu-requests',
  default: 1000,
  meaning:
    'CPU request of the process in millicores. Controllers reconcile more objects concurrently when it is higher. 0 or less means 1000.',
})

/**
 * All core settings: first those of upstream, with its names, defaults and rules, and then those that Kerf adds
 * (`docs/spec/settings.md#core-settings`).
 */
export const coreSettings = {
  karpenterService: text({
    env: 'KARPENTER_SERVICE',
    flag: 'karpenter-service',
    default: '',
    meaning: 'Name of the Kubernetes Service. Accepted for compatibility and not used, because Kerf has no webhooks.',
  }),
  metricsPort: integer({
    env: 'METRICS_PORT',
    flag: 'metrics-port',
    default: 8080,
    ...PORT,
    meaning: 'Port of `/metrics`. 0 picks a free one.',
  }),
  healthProbePort: integer({
    env: 'HEALTH_PROBE_PORT',
    flag: 'health-probe-port',
    default: 8081,
    ...PORT,
    meaning: 'Port of `/healthz` and `/readyz`. 0 picks a free one.',
  }),
  kubeClientQps: integer({
    env: 'KUBE_CLIENT_QPS',
    flag: 'kube-client-qps',
    default: 200,
    min: 1,
    meaning: 'Average number of requests per second to the API server.',
  }),
  kubeClientBurst: integer({
    env: 'KUBE_CLIENT_BURST',
    flag: 'kube-client-burst',
    default: 300,
    min: 1,
    meaning: 'Number of requests that may be sent to the API server at once after a pause.',
  }),
  enableProfiling: flagged({
    env: 'ENABLE_PROFILING',
    flag: 'enable-profiling',
    default: false,
    meaning: 'Serve profiles for `go tool pprof` under `/debug/pprof/` on the metrics port.',
  }),
  disableControllerWarmup: flagged({
    env: 'DISABLE_CONTROLLER_WARMUP',
    flag: 'disable-controller-warmup',
    default: true,
    meaning: 'If false, an instance lists and watches while it waits for the Lease.',
  }),
  disableLeaderElection: flagged({
    env: 'DISABLE_LEADER_ELECTION',
    flag: 'disable-leader-election',
    default: false,
    meaning: 'Run without the Lease. Use it only if there is never more than one instance.',
  }),
  disableClusterStateObservability: flagged({
    env: 'DISABLE_CLUSTER_STATE_OBSERVABILITY',
    flag: 'disable-cluster-state-observability',
    default: false,
    meaning:
      'Do not report the metrics of pods, nodes, NodePools and status conditions, nor the events for conditions.',
  }),
  leaderElectionName: text({
    env: 'LEADER_ELECTION_NAME',
    flag: 'leader-election-name',
    default: 'karpenter-leader-election',
    meaning: 'Name of the Lease.',
  }),
  leaderElectionNamespace: text({
    env: 'LEADER_ELECTION_NAMESPACE',
    flag: 'leader-election-namespace',
    default: '',
    meaning: 'Namespace of the Lease. If empty, the namespace in which the process runs.',
  }),
  memoryLimit: integer({
    env: 'MEMORY_LIMIT',
    flag: 'memory-limit',
    default: -1,
    meaning: 'Memory limit of the process in bytes; 90 % of it is the soft limit of the heap. -1 sets no limit.',
  }),
  cpuRequests: {
    ...cpuRequests,
    // As in upstream, a missing or invalid value means one core.
    parse: (value: string): number => {
      const millicores = cpuRequests.parse(value)
      return millicores > 0 ? millicores : cpuRequests.default
    },
  },
  logLevel: choice({
    env: 'LOG_LEVEL',
    flag: 'log-level',
    default: 'info',
    of: ['', 'debug', 'info', 'error'],
    meaning: '`debug`, `info` or `error`. Empty means `info`.',
  }),
  logOutputPaths: list({
    env: 'LOG_OUTPUT_PATHS',
    flag: 'log-output-paths',
    default: ['stdout'],
    meaning: 'Where log lines go: `stdout`, `stderr` or files, separated by commas.',
  }),
  logErrorOutputPaths: list({
    env: 'LOG_ERROR_OUTPUT_PATHS',
    flag: 'log-error-output-paths',
    default: ['stderr'],
    meaning: 'Where errors of the logger itself go.',
  }),
  batchMaxDuration: duration({
    env: 'BATCH_MAX_DURATION',
    flag: 'batch-max-duration',
    default: 10_000,
    meaning: 'Maximum time for which Kerf collects pending pods before it plans them together.',
  }),
  batchIdleDuration: duration({
    env: 'BATCH_IDLE_DURATION',
    flag: 'batch-idle-duration',
    default: 1_000,
    meaning: 'Planning starts when no new pending pod has arrived for this long.',
  }),
  planExpectedPods: choice({
    env: 'PLAN_EXPECTED_PODS',
    flag: 'plan-expected-pods',
    default: 'off',
    of: ['off', 'on'],
    origin: 'kerf',
    meaning:
      '`on`: plan for the pods that ReplicaSets, Jobs, ReplicationControllers and StatefulSets still have to create, together with the pods that exist. `off`: plan for a pod when kube-scheduler finds no node for it.',
  }),
  preferencePolicy: choice({
    env: 'PREFERENCE_POLICY',
    flag: 'preference-policy',
    default: 'Respect',
    of: ['Respect', 'Ignore'],
    meaning:
      '`Respect`: plan nodes for preferred affinities and `ScheduleAnyway` topology spread too. `Ignore`: do not consider them.',
  }),
  minValuesPolicy: choice({
    env: 'MIN_VALUES_POLICY',
    flag: 'min-values-policy',
    default: 'Strict',
    of: ['Strict', 'BestEffort'],
    meaning: '`Strict`: launch nothing when the `minValues` of a NodePool cannot be met. `BestEffort`: launch anyway.',
  }),
  ignoreDraRequests: flagged({
    env: 'IGNORE_DRA_REQUESTS',
    flag: 'ignore-dra-requests',
    default: true,
    meaning: 'Ignore pods that request devices with ResourceClaims.',
  }),
  featureGates: parsed({
    env: 'FEATURE_GATES',
    flag: 'feature-gates',
    default: { ...defaultFeatureGates } as { readonly [K in keyof typeof defaultFeatureGates]: boolean },
    defaultText: gatesText(defaultFeatureGates),
    parse: (value) => parseGates(defaultFeatureGates, value),
    meaning: 'Optional features as `Name=true`, separated by commas. Gates that are not listed keep their default.',
  }),
  defaultSpreadConstraints: parsed<readonly DefaultSpreadConstraint[]>({
    env: 'SCHEDULER_CONFIG',
    flag: 'scheduler-config',
    default: [],
    defaultText: '',
    parse: parseSchedulerConfig,
    meaning:
      'The `podTopologySpread.defaultConstraints` of the cluster’s kube-scheduler, as YAML or JSON. They apply to pods without topology spread constraints.',
  }),
  legacyApis: flagged({
    env: 'LEGACY_APIS',
    flag: 'legacy-apis',
    default: false,
    origin: 'kerf',
    meaning:
      'Also serve the API of Karpenter up to 0.32: install the CRDs of Provisioner and of the provider’s node template, keep a NodePool and a node class in sync with each object, and read the ConfigMaps `karpenter-global-settings` and `karpenter`.',
  }),
  systemNamespace: text({
    env: 'SYSTEM_NAMESPACE',
    default: '',
    meaning: 'Namespace in which the chart is installed.',
  }),
  kubeconfig: text({
    flag: 'kubeconfig',
    default: '',
    meaning:
      'Kubeconfig file. Without it Kerf tries `KUBECONFIG`, the in-cluster service account and `~/.kube/config`, in this order.',
  }),
  context: text({
    flag: 'context',
    default: '',
    origin: 'kerf',
    meaning: 'Context of the kubeconfig. If empty, its current context.',
  }),
  bindAddress: text({
    env: 'BIND_ADDRESS',
    flag: 'bind-address',
    default: '',
    origin: 'kerf',
    meaning:
      'Address on which the metrics and health ports listen. If empty, every interface in a cluster and loopback elsewhere.',
  }),
  metricsAuthorization: flagged({
    env: 'METRICS_AUTHORIZATION',
    flag: 'metrics-authorization',
    default: false,
    origin: 'kerf',
    meaning:
      'Serve `/metrics` and profiles only to clients whose token the API server accepts (TokenReview) and that may `get` the path (SubjectAccessReview on nonResourceURLs). `/kerf/v1` stays open, because it reports no names of namespaced objects.',
  }),
  observe: flagged({
    env: 'OBSERVE',
    flag: 'observe',
    default: false,
    origin: 'kerf',
    meaning:
      'Observe mode: make and record decisions, but do not act. Kerf then writes only its own Lease (`kerf-observe` unless another name is set), Events with the source `kerf-observe`, and the ConfigMap `kerf-observed-decisions`.',
  }),
  foreignNodes: choice({
    env: 'FOREIGN_NODES',
    flag: 'foreign-nodes',
    default: 'count',
    of: ['count', 'ignore'],
    origin: 'kerf',
    meaning:
      'Nodes of node groups that another autoscaler scales. `count`: pods of nodes that Kerf disrupts may move there, as in upstream. `ignore`: disruption does not use their free capacity, and neither they nor their pods get events.',
  }),
  ignorePodsSelector: parsed<readonly SelectorRequirement[]>({
    env: 'IGNORE_PODS_SELECTOR',
    flag: 'ignore-pods-selector',
    default: [],
    defaultText: '',
    origin: 'kerf',
    parse: podSelector,
    meaning:
      'Label selector, such as `team=batch`, of pods that another autoscaler serves: Kerf launches nothing for them. The annotation `kerf.sh/served-by: cluster-autoscaler` does the same for one pod.',
  }),
  nodeOverheadCost: decimal({
    env: 'NODE_OVERHEAD_COST',
    flag: 'node-overhead-cost',
    default: 0,
    min: 0,
    origin: 'kerf',
    meaning:
      'Cost of each node in addition to its instance, in dollars an hour, for example licences and agents that are paid per node. Kerf adds it when it compares plans, so it prefers fewer and larger nodes.',
  }),
  fewerNodesCostShare: percentage({
    env: 'FEWER_NODES_COST_SHARE',
    flag: 'fewer-nodes-cost-share',
    default: '0.5%',
    origin: 'kerf',
    meaning:
      'Percentage of the cost of a plan that Kerf may spend to have fewer nodes. With `0%`, Kerf takes fewer nodes only at no higher cost. `kerf plan --explain-cost` shows the number of nodes and the cost for several percentages.',
  }),
  planBudget: integer({
    env: 'PLAN_BUDGET',
    flag: 'plan-budget',
    default: 200,
    min: 0,
    origin: 'kerf',
    meaning:
      'Approximate number of milliseconds for making a plan cheaper, for a batch of up to 1,000 pods; larger batches get more. Kerf counts work instead of time, so the same input gives the same plan. With 0, Kerf uses the first plan, which is the plan of upstream.',
  }),
  logFormat: choice({
    env: 'LOG_FORMAT',
    flag: 'log-format',
    default: 'auto',
    of: ['auto', 'json', 'console'],
    origin: 'kerf',
    meaning:
      '`json` is upstream’s format, `console` is for people. `auto` is `console` on a terminal and otherwise `json`.',
  }),
}

/** The values of the core settings, with the keys of the table. */
export type Settings = SettingsOf<typeof coreSettings>
