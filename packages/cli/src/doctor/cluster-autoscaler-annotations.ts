/** This file lists annotations and taints of Cluster Autoscaler (`docs/spec/coexistence.md#annotations-of-cluster-autoscaler`). */

/**
 * Pod annotation. `"false"` and `on-completion` protect the pod from eviction. `"true"` removes every protection except
 * PodDisruptionBudgets.
 */
export const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict'
/** Pod annotation: names of local volumes that do not prevent eviction of the pod. */
export const SAFE_VOLUMES = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes'
/** Pod annotation: how long the pod must be pending before Cluster Autoscaler acts. */
export const SCALE_UP_DELAY = 'cluster-autoscaler.kubernetes.io/pod-scale-up-delay'
/** Node annotation: `"true"` prevents the removal of the node. */
export const NO_SCALE_DOWN = 'cluster-autoscaler.kubernetes.io/scale-down-disabled'
/**
 * Matches the keys of the taints that Cluster Autoscaler adds to a draining or unneeded node (`docs/spec/coexistence.md#status`).
 */
export const SCALE_DOWN_TAINT = /^(ToBeDeletedBy|DeletionCandidateOf)ClusterAutoscaler$/
