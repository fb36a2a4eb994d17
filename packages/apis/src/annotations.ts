/** Annotation keys (`docs/spec/labels.md#annotations`) and finalizers (`docs/spec/labels.md#taints-and-finalizers`). */
export const annotations = {
  /** Pod: `true` or a duration. Node and NodeClaim: `true` only. */
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  nodePoolHash: 'karpenter.sh/nodepool-hash',
  nodePoolHashVersion: 'karpenter.sh/nodepool-hash-version',
  /** When draining ends by force, in RFC 3339. */
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
  minValuesRelaxed: 'karpenter.sh/nodeclaim-min-values-relaxed',
  /** Names of drivers, sorted and separated by commas. */
  requestedDraDrivers: 'karpenter.sh/requested-dra-drivers',
  priceOverlayApplied: 'karpenter.sh/price-overlay-applied',
  capacityOverlayApplied: 'karpenter.sh/capacity-overlay-applied',
  /** Only on virtual pods of a CapacityBuffer, in memory. */
  bufferFakePod: 'karpenter.sh/capacity-buffer-fake-pod',
  bufferName: 'karpenter.sh/capacity-buffer-name',
  bufferNamespace: 'karpenter.sh/capacity-buffer-namespace',
  /** Reserved by an old version. Has no effect. */
  legacyProvider: 'compatibility.karpenter.sh/provider',
  podDeletionCost: 'controller.kubernetes.io/pod-deletion-cost',
  /** On a pod: `cluster-autoscaler` means that Kerf leaves the pod to it (`docs/spec/coexistence.md#scopes-in-the-controller`). */
  servedBy: 'kerf.sh/served-by',
  /**
   * On a NodeClaim: the owners that were planned ahead and that it was launched for, as `Kind/namespace/name`, sorted and separated by commas
   * (`docs/spec/expected-pods.md#what-a-claim-says`).
   */
  launchedFor: 'kerf.sh/launched-for',
  /** On a NodePool: `observe` (`docs/spec/coexistence.md#observe-mode`). */
  mode: 'kerf.sh/mode',
} as const

export const finalizers = {
  /** On NodeClaims and nodes: the controller drains the node, ends the instance, and then removes the finalizer. */
  termination: 'karpenter.sh/termination',
} as const
