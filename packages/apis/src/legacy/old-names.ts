/**
 * The new keys of old labels and annotations (`docs/spec/older-apis.md#older-labels-annotations-taints-and-tags`);
 * `undefined` if v1 has none.
 */
export const renamedKeys: ReadonlyMap<string, string | undefined> = new Map([
  ['karpenter.sh/provisioner-name', 'karpenter.sh/nodepool'],
  ['karpenter.sh/do-not-evict', 'karpenter.sh/do-not-disrupt'],
  ['karpenter.sh/do-not-consolidate', 'karpenter.sh/do-not-disrupt'],
  ['karpenter.k8s.aws/instance-pods', undefined],
])

/** Annotations that the controller maintained, and kubectl's copy of the old object. */
export const ownAnnotations: ReadonlySet<string> = new Set([
  'karpenter.sh/provisioner-hash',
  'karpenter.sh/nodepool-hash',
  'karpenter.sh/nodepool-hash-version',
  'karpenter.k8s.aws/nodetemplate-hash',
  'karpenter.k8s.aws/ec2nodeclass-hash',
  'karpenter.k8s.aws/ec2nodeclass-hash-version',
  'kubectl.kubernetes.io/last-applied-configuration',
])

/** Returns whether the key is the pool's own name, which a pool may not use in its labels and requirements. */
export const isOwnName = (key: string): boolean =>
  key === 'karpenter.sh/provisioner-name' || key === 'karpenter.sh/nodepool'
