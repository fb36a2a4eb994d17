import type { Taint } from './kubernetes/node.ts'

/** Taints that Karpenter uses (`docs/spec/labels.md#taints-and-finalizers`). */
export const taints = {
  /** The kubelet registers its node with this taint, and registration removes the taint. */
  unregistered: { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
  /** On nodes that will be terminated. Pods that tolerate the taint are not evicted, and termination does not wait for them. */
  disrupted: { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' },
  /**
   * On nodes that consolidation plans to remove. kube-scheduler then prefers other nodes. Kerf's own decisions ignore the taint.
   */
  consolidating: { key: 'kerf.sh/consolidating', effect: 'PreferNoSchedule' },
  unschedulable: { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
} as const satisfies Record<string, Taint>

/** Taints whose keys have this prefix are ephemeral, regardless of their effect. */
const READINESS_PREFIX = 'readiness.k8s.io/'

/** Taints that are added and removed automatically while a node starts. */
export const ephemeralTaints: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
  // Cluster API's kubeadm bootstrap registers nodes with this taint. The Machine controller removes it after it has synchronised
  // the labels.
  { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' },
  taints.unregistered,
]

/** Returns whether two taints have the same key and effect. Values are not compared. */
export const isSameTaint = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect

/** Returns whether scheduling ignores the taint while a node initializes. The node is not initialized before the taint is gone. */
export const isEphemeralTaint = (taint: Taint): boolean =>
  taint.key.startsWith(READINESS_PREFIX) || ephemeralTaints.some((ephemeral) => isSameTaint(ephemeral, taint))
