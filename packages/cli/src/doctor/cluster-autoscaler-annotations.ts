/** Annotations and taints of Cluster Autoscaler (`docs/spec/coexistence.md#annotations-of-cluster-autoscaler`). */

/** On a pod. `"false"` and `on-completion` protect it from eviction. `"true"` removes every protection except PodDisruptionBudgets. */
export const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict'
/** On a pod: names of its local volumes that do not protect it. */
export const SAFE_VOLUMES = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes'
/** On a pod: how long it must be pending before Cluster Autoscaler acts. */
export const SCALE_UP_DELAY = 'cluster-autoscaler.kubernetes.io/pod-scale-up-delay'
/** On a node: `"true"` prevents its removal. */
export const NO_SCALE_DOWN = 'cluster-autoscaler.kubernetes.io/scale-down-disabled'
/** Matches the keys of the taints of a node that drains or is unneeded (`docs/spec/coexistence.md#status`). */
export const SCALE_DOWN_TAINT = /^(ToBeDeletedBy|DeletionCandidateOf)ClusterAutoscaler$/
