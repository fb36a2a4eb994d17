import { type FieldRule, words } from '@kerf/provider-kit/migration'
import type { ProviderSource } from '../groups/provider-sources.ts'

const OWN = { because: 'only Cluster Autoscaler works this way, so Kerf needs no such setting' } as const
const PROCESS = {
  because: 'concerns the process of Cluster Autoscaler; Kerf has its own settings (docs/reference/settings.md)',
} as const
const GROUPS = { because: 'selects the node groups of Cluster Autoscaler; Kerf lists NodePools from the API' } as const
const BATCH = {
  to: 'settings batchIdleDuration and batchMaxDuration',
  because: 'Kerf waits for a pause between new pods instead of a fixed time',
} as const
const TOTAL = {
  to: 'NodePool spec.limits',
  because: 'each NodePool has its own limits, which do not limit all NodePools together',
} as const
const PROTECTION = {
  because:
    'Karpenter has no such rule: the annotation karpenter.sh/do-not-disrupt or a PodDisruptionBudget of the workload protects its pods',
} as const

/** Returns an entry with this rule for each flag. `flags` contains their names, separated by spaces. */
const named = (rule: FieldRule, flags: string): readonly (readonly [string, FieldRule])[] =>
  words(flags).map((flag) => [flag, rule])

/** The rule for each flag of Cluster Autoscaler 1.36 (`docs/spec/coexistence.md#flags`). */
const flagRules: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['nodes', { to: 'NodePool spec.limits.nodes' }],
  ['expander', { to: 'NodePool spec.weight', because: 'see the expander; Kerf takes the cheapest offering that fits' }],
  ['max-nodes-total', { ...TOTAL }],
  ['cores-total', { ...TOTAL }],
  ['memory-total', { ...TOTAL }],
  ['gpu-total', { ...TOTAL }],
  [
    'balance-similar-node-groups',
    {
      because:
        'Kerf does not balance NodePools over zones; topologySpreadConstraints of the workloads spread the pods, and thereby the nodes',
    },
  ],
  ['balancing-ignore-label', { because: 'Kerf does not balance NodePools, so it need not ignore a label' }],
  [
    'balancing-label',
    { because: 'Kerf does not balance NodePools; they differ in the labels and taints that pods can select' },
  ],
  ['ignore-taint', { to: 'NodePool spec.template.spec.startupTaints' }],
  ['startup-taint', { to: 'NodePool spec.template.spec.startupTaints' }],
  ['startup-taint-prefix', { because: 'startup taints are named one by one in spec.template.spec.startupTaints' }],
  ['status-taint', { because: 'Kerf places no pod on a node with a taint that the pod does not tolerate' }],
  ['scale-down-enabled', { to: 'NodePool spec.disruption.budgets' }],
  ['scale-down-unneeded-time', { to: 'NodePool spec.disruption.consolidateAfter' }],
  [
    'scale-down-utilization-threshold',
    {
      to: 'NodePool spec.disruption.consolidationPolicy',
      because:
        'consolidation has no threshold: Kerf removes a node if its pods fit elsewhere at lower cost. 0 becomes WhenEmpty',
    },
  ],
  [
    'scale-down-gpu-utilization-threshold',
    {
      to: 'NodePool spec.disruption.consolidationPolicy',
      because: 'consolidation has no threshold: Kerf removes a node if its pods fit elsewhere at lower cost',
    },
  ],
  [
    'scale-down-delay-after-add',
    {
      to: 'NodePool spec.disruption.consolidateAfter',
      because: 'the longer of the two delays applies, to each node separately',
    },
  ],
  [
    'scale-down-unready-time',
    { because: 'node repair replaces unhealthy nodes after its own timeouts (feature gate NodeRepair)' },
  ],
  ['scale-down-unready-enabled', { because: 'node repair replaces unhealthy nodes (feature gate NodeRepair)' }],
  ['max-scale-down-parallelism', { to: 'NodePool spec.disruption.budgets for Empty' }],
  ['max-empty-bulk-delete', { to: 'NodePool spec.disruption.budgets for Empty' }],
  ['max-drain-parallelism', { to: 'NodePool spec.disruption.budgets for Underutilized and Drifted' }],
  [
    'max-graceful-termination-sec',
    {
      because:
        'a terminationGracePeriod of the NodePool would end pods that a PodDisruptionBudget still protects; set one yourself',
    },
  ],
  ['skip-nodes-with-system-pods', PROTECTION],
  ['skip-nodes-with-local-storage', PROTECTION],
  ['skip-nodes-with-custom-controller-pods', PROTECTION],
  ['min-replica-count', PROTECTION],
  ['blocking-system-pod-distruption-timeout', PROTECTION],
  [
    'expendable-pods-priority-cutoff',
    {
      because:
        'Kerf launches nodes for pods of every priority; give such pods a NodePool of their own with limits, or a CapacityBuffer instead of pause pods',
    },
  ],
  ['new-pod-scale-up-delay', BATCH],
  ['scan-interval', BATCH],
  ['ignore-daemonsets-utilization', { because: 'consolidation compares costs, not utilization' }],
  ['ignore-mirror-pods-utilization', { because: 'consolidation compares costs, not utilization' }],
  ...named(
    { because: 'pods of DaemonSets end with their node unless they tolerate karpenter.sh/disrupted' },
    'daemonset-eviction-for-empty-nodes daemonset-eviction-for-occupied-nodes',
  ),
  ['max-node-provision-time', { because: 'a node has 15 minutes to register' }],
  ['max-node-startup-time', { because: 'a node has 15 minutes to register' }],
  [
    'max-pod-eviction-time',
    { because: 'evictions are tried until the node is drained or its terminationGracePeriod is over' },
  ],
  ['enforce-node-group-min-size', { because: 'a NodePool has no minimum' }],
  ['scale-up-from-zero', { because: 'a NodePool always launches from zero nodes' }],
  ['scale-from-unschedulable', { because: 'a NodePool always launches from zero nodes' }],
  ...named(
    {
      to: 'feature gate CapacityBuffer',
      because: 'only one controller may manage them: turn it off here before you enable the feature gate',
    },
    'capacity-buffer-controller-enabled capacity-buffer-pod-injection-enabled',
  ),
  ['enable-provisioning-requests', { because: 'Kerf does not serve ProvisioningRequests' }],
  ['enable-dynamic-resource-allocation', { to: 'setting ignoreDraRequests' }],
  ...named(
    { because: 'Kerf considers every pod that is marked Unschedulable, whichever scheduler it has' },
    'allowed-scheduler-names bypassed-scheduler-names',
  ),
  ['grpc-expander-url', { because: 'Kerf cannot call a custom expander' }],
  ['grpc-expander-cert', { because: 'Kerf cannot call a custom expander' }],
  ['feature-gates', { because: 'are feature gates of Cluster Autoscaler; the feature gates of Kerf have other names' }],
  ...named(
    GROUPS,
    `
      cloud-provider cloud-config cluster-name node-group-auto-discovery regional
      clusterapi-cloud-config-authoritative`,
  ),
  ...named(
    OWN,
    `
      scale-down-delay-after-delete scale-down-delay-after-failure scale-down-delay-type-local
      scale-down-non-empty-candidates-count scale-down-candidates-pool-ratio scale-down-candidates-pool-min-count
      scale-down-simulation-timeout node-deletion-delay-timeout node-deletion-batcher-interval
      node-deletion-candidate-ttl node-delete-delay-after-taint dynamic-node-delete-delay-after-taint-enabled
      max-bulk-soft-taint-count max-bulk-soft-taint-time unremovable-node-recheck-timeout
      cordon-node-before-terminating max-total-unready-percentage ok-total-unready-count
      max-node-skip-eval-time-tracker-enabled node-removal-latency-tracking-enabled drain-priority-config estimator
      max-nodes-per-scaleup max-nodegroup-binpacking-duration max-binpacking-time fastpath-binpacking-enabled
      parallel-scale-up salvo-scale-up salvo-scale-up-budget frequent-loops-enabled enable-proactive-scaleup
      pod-injection-limit force-ds async-node-groups scaleup-simulation-for-skipped-node-groups-enabled
      enable-csi-node-aware-scheduling predicate-parallelism cluster-snapshot-parallelism node-info-cache-expire-time
      initial-node-group-backoff-duration max-node-group-backoff-duration node-group-backoff-reset-timeout
      max-allocatable-difference-ratio max-free-difference-ratio memory-difference-ratio
      force-delete-unregistered-nodes force-delete-failed-nodes capacity-quotas-enabled
      capacity-buffer-pod-dry-run-enabled bulk-mig-instances-listing-enabled gce-concurrent-refreshes
      gce-mig-instances-min-refresh-wait-time node-autoprovisioning-enabled max-autoprovisioned-node-group-count
      check-capacity-batch-processing check-capacity-processor-instance
      check-capacity-provisioning-request-batch-timebox check-capacity-provisioning-request-max-batch-size
      provisioning-request-initial-backoff-time provisioning-request-max-backoff-cache-size
      provisioning-request-max-backoff-time`,
  ),
  ...named(
    PROCESS,
    `
      address kubernetes kubeconfig kube-api-content-type kube-client-burst kube-client-qps namespace profiling
      user-agent max-inactivity max-failing-time max-startup-time write-status-configmap status-config-map-name
      record-duplicated-events emit-per-nodegroup-metrics debugging-snapshot-enabled v vmodule logtostderr
      alsologtostderr stderrthreshold log-dir log_dir log-file log_file skip-headers add-dir-header logging-format
      log-flush-frequency one-output version leader-elect leader-elect-lease-duration leader-elect-renew-deadline
      leader-elect-retry-period leader-elect-resource-lock leader-elect-resource-name leader-elect-resource-namespace`,
  ),
])

/** Returns the rule for a flag, or undefined if the flag is unknown. */
export const flagRule = (
  flag: string,
  sources: readonly Pick<ProviderSource, 'discoveryFlags'>[],
): FieldRule | undefined =>
  flagRules.get(flag) ?? (sources.some(({ discoveryFlags = [] }) => discoveryFlags.includes(flag)) ? GROUPS : undefined)
