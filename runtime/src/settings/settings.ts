import { defaultFeatureGates, gatesText, parseGates } from './feature-gates.ts'
import type { SettingsOf } from './parse-settings.ts'
import { type DefaultSpreadConstraint, parseSchedulerConfig } from './scheduler-config.ts'
import { choice, duration, flagged, integer, list, parsed, text } from './setting.ts'

const PORT = { min: 0, max: 65_535 } as const

const cpuRequests = integer({
  env: 'CPU_REQUESTS',
  flag: 'cpu-requests',
  default: 1000,
  meaning: 'Millicores of the process; how many keys controllers work on at once grows with it. 0 or less is 1000.',
})

/**
 * Every setting of the core: upstream's names, defaults and rules, then Kerf's additions.
 * `docs/spec/settings.md#core-settings`.
 */
export const coreSettings = {
  karpenterService: text({
    env: 'KARPENTER_SERVICE',
    flag: 'karpenter-service',
    default: '',
    meaning: 'Name of the Kubernetes Service. Accepted for compatibility; the webhooks that used it are gone.',
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
    meaning: 'Requests a second to the API server, on average.',
  }),
  kubeClientBurst: integer({
    env: 'KUBE_CLIENT_BURST',
    flag: 'kube-client-burst',
    default: 300,
    min: 1,
    meaning: 'Requests to the API server that may go out at once after a pause.',
  }),
  enableProfiling: flagged({
    env: 'ENABLE_PROFILING',
    flag: 'enable-profiling',
    default: false,
    meaning: 'Serve profiles under `/debug/pprof/` on the metrics port, for `go tool pprof`.',
  }),
  disableControllerWarmup: flagged({
    env: 'DISABLE_CONTROLLER_WARMUP',
    flag: 'disable-controller-warmup',
    default: true,
    meaning: 'When false, an instance that waits for the lease lists and watches already.',
  }),
  disableLeaderElection: flagged({
    env: 'DISABLE_LEADER_ELECTION',
    flag: 'disable-leader-election',
    default: false,
    meaning: 'Act without holding the Lease. Only when never more than one instance runs.',
  }),
  disableClusterStateObservability: flagged({
    env: 'DISABLE_CLUSTER_STATE_OBSERVABILITY',
    flag: 'disable-cluster-state-observability',
    default: false,
    meaning: 'Leave out the pod, node, NodePool and status condition metrics and the condition events.',
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
    meaning: 'Namespace of the Lease; empty is the namespace that the process runs in.',
  }),
  memoryLimit: integer({
    env: 'MEMORY_LIMIT',
    flag: 'memory-limit',
    default: -1,
    meaning: 'Bytes of memory that the process may use; 90 % of it is the soft limit of the heap. -1 sets none.',
  }),
  cpuRequests: {
    ...cpuRequests,
    // Upstream's rule: nothing sensible given is one core.
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
    meaning: '`debug`, `info` or `error`; empty is `info`.',
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
    meaning: 'Longest time for which pending pods are collected before they are planned together.',
  }),
  batchIdleDuration: duration({
    env: 'BATCH_IDLE_DURATION',
    flag: 'batch-idle-duration',
    default: 1_000,
    meaning: 'Planning begins when no new pending pod has come for this long.',
  }),
  preferencePolicy: choice({
    env: 'PREFERENCE_POLICY',
    flag: 'preference-policy',
    default: 'Respect',
    of: ['Respect', 'Ignore'],
    meaning: 'Whether preferred affinities and `ScheduleAnyway` spread count when nodes are planned.',
  }),
  minValuesPolicy: choice({
    env: 'MIN_VALUES_POLICY',
    flag: 'min-values-policy',
    default: 'Strict',
    of: ['Strict', 'BestEffort'],
    meaning: 'Whether a NodePool whose `minValues` cannot be met may launch anyway (`BestEffort`).',
  }),
  ignoreDraRequests: flagged({
    env: 'IGNORE_DRA_REQUESTS',
    flag: 'ignore-dra-requests',
    default: true,
    meaning: 'Skip pods that ask for devices through resource claims.',
  }),
  featureGates: parsed({
    env: 'FEATURE_GATES',
    flag: 'feature-gates',
    default: { ...defaultFeatureGates } as { readonly [K in keyof typeof defaultFeatureGates]: boolean },
    defaultText: gatesText(defaultFeatureGates),
    parse: (value) => parseGates(defaultFeatureGates, value),
    meaning: 'Optional features as `Name=true`, separated by commas; gates that are not named keep their default.',
  }),
  defaultSpreadConstraints: parsed<readonly DefaultSpreadConstraint[]>({
    env: 'SCHEDULER_CONFIG',
    flag: 'scheduler-config',
    default: [],
    defaultText: '',
    parse: parseSchedulerConfig,
    meaning:
      'What the cluster’s kube-scheduler was given as `podTopologySpread.defaultConstraints`, as YAML or JSON, for pods that declare no spread.',
  }),
  legacyApis: flagged({
    env: 'LEGACY_APIS',
    flag: 'legacy-apis',
    default: false,
    origin: 'kerf',
    meaning:
      'Serve the API of Karpenter up to 0.32 besides: install its Provisioner and AWSNodeTemplate, keep a NodePool and a node class in step with each, and read the ConfigMaps `karpenter-global-settings` and `karpenter`.',
  }),
  systemNamespace: text({
    env: 'SYSTEM_NAMESPACE',
    default: '',
    meaning: 'Namespace that the chart installed into.',
  }),
  kubeconfig: text({
    flag: 'kubeconfig',
    default: '',
    meaning: 'Kubeconfig file. Without it: `KUBECONFIG`, the in-cluster service account, `~/.kube/config`.',
  }),
  context: text({
    flag: 'context',
    default: '',
    origin: 'kerf',
    meaning: 'Context of the kubeconfig; empty is its current one.',
  }),
  bindAddress: text({
    env: 'BIND_ADDRESS',
    flag: 'bind-address',
    default: '',
    origin: 'kerf',
    meaning:
      'Address that the metrics and health ports listen on; empty is every interface in a cluster, loopback elsewhere.',
  }),
  metricsAuthorization: flagged({
    env: 'METRICS_AUTHORIZATION',
    flag: 'metrics-authorization',
    default: false,
    origin: 'kerf',
    meaning:
      'Serve `/metrics` and profiles only to who shows a token that the API server knows (TokenReview) and may `get` the path (SubjectAccessReview on nonResourceURLs). `/kerf/v1` stays open: it tells no names.',
  }),
  planBudget: integer({
    env: 'PLAN_BUDGET',
    flag: 'plan-budget',
    default: 200,
    min: 0,
    origin: 'kerf',
    meaning:
      'About how many milliseconds may go into making a plan cheaper, for a batch of up to 1,000 pods; larger ones get more. Counted in work, so that the same input gives the same plan. 0 takes the first plan, which is upstream’s.',
  }),
  logFormat: choice({
    env: 'LOG_FORMAT',
    flag: 'log-format',
    default: 'auto',
    of: ['auto', 'json', 'console'],
    origin: 'kerf',
    meaning: '`json` as upstream writes it, `console` for people; `auto` is `console` on a terminal.',
  }),
}

/** The core's settings as values, under the names of the table. */
export type Settings = SettingsOf<typeof coreSettings>
