/** Annotations of Cluster Autoscaler (`docs/spec/coexistence.md#annotations-of-cluster-autoscaler`), and its taints. */

/** Of a pod: `"false"` and `on-completion` protect it, `"true"` lifts every protection but PodDisruptionBudgets. */
export const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict'
/** Of a pod: names of its local volumes that do not protect it. */
export const SAFE_VOLUMES = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes'
/** Of a pod: how long it has to be pending before Cluster Autoscaler acts. */
export const SCALE_UP_DELAY = 'cluster-autoscaler.kubernetes.io/pod-scale-up-delay'
/** Of a node: `"true"` keeps it. */
export const NO_SCALE_DOWN = 'cluster-autoscaler.kubernetes.io/scale-down-disabled'
/** Of a node, on AWS: `"false"` says that it belongs to somebody else. */
export const NOT_MINE = 'k8s.io/cluster-autoscaler-enabled'
/** Keys of the taints of a node that drains, and of one that is unneeded (`docs/spec/coexistence.md#status`). */
export const SCALE_DOWN_TAINT = /^(ToBeDeletedBy|DeletionCandidateOf)ClusterAutoscaler$/
