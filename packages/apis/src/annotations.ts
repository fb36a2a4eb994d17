/** The keys of annotations (`docs/spec/labels.md#annotations`) and finalizers (`docs/spec/labels.md#taints-and-finalizers`). */
export const annotations = {
  /** On a pod: `true` or a duration. On a Node or NodeClaim: only `true`. */
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  nodePoolHash: 'karpenter.sh/nodepool-hash',
  nodePoolHashVersion: 'karpenter.sh/nodepool-hash-version',
  /** The time, in RFC 3339, at which Kerf force-deletes the pods that still run on the node. */
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
  minValuesRelaxed: 'karpenter.sh/nodeclaim-min-values-relaxed',
  /** The names of device drivers, sorted and separated by commas. */
  requestedDraDrivers: 'karpenter.sh/requested-dra-drivers',
  priceOverlayApplied: 'karpenter.sh/price-overlay-applied',
  capacityOverlayApplied: 'karpenter.sh/capacity-overlay-applied',
  /** Set only on a CapacityBuffer's virtual pods, which exist only in memory. */
  bufferFakePod: 'karpenter.sh/capacity-buffer-fake-pod',
  bufferName: 'karpenter.sh/capacity-buffer-name',
  bufferNamespace: 'karpenter.sh/capacity-buffer-namespace',
  /** Reserved by an old version of Karpenter. Has no effect. */
  legacyProvider: 'compatibility.karpenter.sh/provider',
  podDeletionCost: 'controller.kubernetes.io/pod-deletion-cost',
  /**
   * On a pod. `cluster-autoscaler` means that Cluster Autoscaler handles the pod and Kerf ignores it
   * (`docs/spec/coexistence.md#scopes-in-the-controller`).
   */
  servedBy: 'kerf.sh/served-by',
  /**
   * On a NodeClaim that was launched for pods that do not exist yet. Lists the owners of these pods as `Kind/namespace/name`, sorted and
   * separated by commas (`docs/spec/expected-pods.md#what-a-claim-says`).
   */
  launchedFor: 'kerf.sh/launched-for',
  /** On a NodePool. Its only valid value is `observe` (`docs/spec/coexistence.md#observe-mode`). */
  mode: 'kerf.sh/mode',
  /**
   * On a NodePool. Keeps the pool awake until this time, even if its NodePoolPolicy would put it to sleep (`docs/spec/policies.md#sleep`).
   */
  awakeUntil: 'kerf.sh/awake-until',
} as const

export const finalizers = {
  /** On NodeClaims and Nodes. The controller drains the node, terminates the instance, and then removes the finalizer. */
  termination: 'karpenter.sh/termination',
} as const
