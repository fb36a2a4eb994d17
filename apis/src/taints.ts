import type { Taint } from './kubernetes/node.ts'

/** Taints with a meaning to Karpenter (`docs/spec/labels.md#taints-and-finalizers`). */
export const taints = {
  /** The kubelet registers with it; registration takes it off. */
  unregistered: { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
  /** On nodes that are about to go. Pods that tolerate it are neither evicted nor waited for. */
  disrupted: { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' },
  /** On nodes that consolidation means to take soon: kube-scheduler puts pods elsewhere where it can. Kerf's own decisions do not see it. */
  consolidating: { key: 'kerf.sh/consolidating', effect: 'PreferNoSchedule' },
  unschedulable: { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
} as const satisfies Record<string, Taint>

/** Prefix of keys whose taints are ephemeral whatever their effect. */
const READINESS_PREFIX = 'readiness.k8s.io/'

/** Taints that come and go by themselves while a node starts. */
export const ephemeralTaints: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
  // Cluster API's kubeadm bootstrap registers nodes with it; its Machine controller takes it off once labels are synced.
  { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' },
  taints.unregistered,
]

/** Same key and same effect: what counts as the same taint everywhere. The value is not compared. */
export const isSameTaint = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect

/** Ignored while a node initialises, and in the way of its being initialised. */
export const isEphemeralTaint = (taint: Taint): boolean =>
  taint.key.startsWith(READINESS_PREFIX) || ephemeralTaints.some((ephemeral) => isSameTaint(ephemeral, taint))
