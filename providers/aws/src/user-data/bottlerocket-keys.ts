/** The allowed values of a Bottlerocket setting. `whole` is a 64-bit integer, and `count` is an unsigned 32-bit integer. */
export type BottlerocketShape =
  | 'text'
  | 'whole'
  | 'count'
  | 'flag'
  | 'texts'
  | 'textLists'
  | { readonly mapOf: BottlerocketShape }
  | { readonly fields: Readonly<Record<string, BottlerocketShape>> }

const TEXT_MAP = { mapOf: 'text' } as const satisfies BottlerocketShape

/**
 * The settings of `[settings.kubernetes]` that Karpenter passes on, with the types that it expects. Other settings are left out
 * (`providers/aws/docs/spec/aws.md#user-data`).
 */
export const bottlerocketKubernetesKeys: Readonly<Record<string, BottlerocketShape>> = {
  'allowed-unsafe-sysctls': 'texts',
  'api-server': 'text',
  'cloud-provider': 'text',
  'cluster-certificate': 'text',
  'cluster-dns-ip': 'text',
  'cluster-domain': 'text',
  'cluster-name': 'text',
  'container-log-max-files': 'whole',
  'container-log-max-size': 'text',
  'container-log-max-workers': 'whole',
  'container-log-monitor-interval': 'text',
  'cpu-cfs-quota-enforced': 'flag',
  'cpu-manager-policy': 'text',
  'cpu-manager-policy-options': 'texts',
  'cpu-manager-reconcile-period': 'text',
  'credential-providers': {
    mapOf: {
      fields: { enabled: 'flag', 'cache-duration': 'text', 'image-patterns': 'texts', environment: TEXT_MAP },
    },
  },
  'device-ownership-from-security-context': 'flag',
  'event-burst': 'whole',
  'event-qps': 'whole',
  'eviction-hard': TEXT_MAP,
  'eviction-max-pod-grace-period': 'whole',
  'eviction-soft': TEXT_MAP,
  'eviction-soft-grace-period': TEXT_MAP,
  'hostname-override-source': 'text',
  'ids-per-pod': 'whole',
  'image-gc-high-threshold-percent': 'text',
  'image-gc-low-threshold-percent': 'text',
  'kube-api-burst': 'whole',
  'kube-api-qps': 'whole',
  'kube-reserved': TEXT_MAP,
  'log-level': 'count',
  'max-pods': 'whole',
  'memory-manager-policy': 'text',
  'memory-manager-reserved-memory': {
    mapOf: { fields: { enabled: 'flag', memory: 'text', 'hugepages-2Mi': 'text', 'hugepages-1Gi': 'text' } },
  },
  'node-labels': TEXT_MAP,
  'node-taints': { mapOf: 'texts' },
  'pod-pids-limit': 'whole',
  'registry-burst': 'whole',
  'registry-qps': 'whole',
  'seccomp-default': 'flag',
  'server-tls-bootstrap': 'flag',
  'shutdown-grace-period': 'text',
  'shutdown-grace-period-for-critical-pods': 'text',
  'single-process-oom-kill': 'flag',
  'static-pods': { mapOf: { fields: { enabled: 'flag', manifest: 'text' } } },
  'system-reserved': TEXT_MAP,
  'topology-manager-policy': 'text',
  'topology-manager-policy-options': {
    fields: { 'prefer-closest-numa-nodes': 'flag', 'max-allowable-numa-nodes': 'whole' },
  },
  'topology-manager-scope': 'text',
}

/** The settings of `[settings.bootstrap-commands]`, each of which has a name. */
export const bottlerocketCommandShape: BottlerocketShape = {
  fields: { commands: 'textLists', mode: 'text', essential: 'flag' },
}
