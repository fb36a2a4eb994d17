/** Annotation keys (`docs/spec/labels.md#annotations`) and finalizers (`docs/spec/labels.md#taints-and-finalizers`). */
export const annotations = {
  /** Pod: `true` or a duration. Node and NodeClaim: `true` only. */
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  nodePoolHash: 'karpenter.sh/nodepool-hash',
  nodePoolHashVersion: 'karpenter.sh/nodepool-hash-version',
  /** When draining ends by force, RFC 3339. */
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
  minValuesRelaxed: 'karpenter.sh/nodeclaim-min-values-relaxed',
  /** Drivers, sorted, with commas between. */
  requestedDraDrivers: 'karpenter.sh/requested-dra-drivers',
  priceOverlayApplied: 'karpenter.sh/price-overlay-applied',
  capacityOverlayApplied: 'karpenter.sh/capacity-overlay-applied',
  /** On the virtual pods of a CapacityBuffer, in memory only. */
  bufferFakePod: 'karpenter.sh/capacity-buffer-fake-pod',
  bufferName: 'karpenter.sh/capacity-buffer-name',
  bufferNamespace: 'karpenter.sh/capacity-buffer-namespace',
  /** Reserved by an old version; has no effect. */
  legacyProvider: 'compatibility.karpenter.sh/provider',
  podDeletionCost: 'controller.kubernetes.io/pod-deletion-cost',
  /** Pod: `cluster-autoscaler` leaves it to that one (`docs/spec/coexistence.md#scopes-in-the-controller`). */
  servedBy: 'kerf.sh/served-by',
  /** NodePool: `observe` (`docs/spec/coexistence.md#observe-mode`). */
  mode: 'kerf.sh/mode',
} as const

export const finalizers = {
  /** On NodeClaims and nodes: drain, then end the instance, then let go. */
  termination: 'karpenter.sh/termination',
} as const
