/** Labels and network tags of instances in Compute Engine (`providers/gcp/docs/spec/gcp.md#labels-of-an-instance`). */

/** The keys of the labels that identify the cluster, NodePool and node class of an instance. */
export const ownLabelKeys = {
  nodePool: 'karpenter-sh-nodepool',
  nodeClass: 'karpenter-k8s-gcp-gcenodeclass',
  cluster: 'goog-k8s-cluster-name',
  location: 'goog-k8s-cluster-location',
} as const

/** The owner that the labels of an instance describe. */
export interface InstanceOwner {
  readonly nodePool: string
  readonly nodeClass: string
  readonly cluster: string
  /** The region or zone of the cluster. */
  readonly location: string
  /** The id of the cluster in GKE. */
  readonly clusterId: string
}

const VALUE = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u

/** Returns the reason why Compute Engine would refuse the owner's labels, or undefined if it would accept them. */
export const ownerProblem = ({
  nodePool,
  nodeClass,
}: Pick<InstanceOwner, 'nodePool' | 'nodeClass'>): string | undefined => {
  const [kind, name] = VALUE.test(nodePool) ? ['GCENodeClass', nodeClass] : ['NodePool', nodePool]
  return VALUE.test(name)
    ? undefined
    : `the name of ${kind} ${JSON.stringify(name)} must have at most 63 lower case letters, digits, hyphens and underscores, because it becomes a label of the instance`
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** Converts a hexadecimal cluster id to base 32 without padding. Returns undefined for an id in any other form. */
export const clusterIdLabel = (clusterId: string): string | undefined => {
  if (!/^(?:[0-9a-f]{2})+$/i.test(clusterId)) return undefined
  const bits = [...clusterId].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** Returns the labels of an instance: the node class's labels, overridden by the provider's own. */
export const instanceLabels = (
  ofClass: Readonly<Record<string, string>>,
  owner: InstanceOwner,
  isSpot: boolean,
): Readonly<Record<string, string>> => {
  const id = clusterIdLabel(owner.clusterId)
  return {
    ...ofClass,
    ...(id === undefined ? {} : { 'goog-gke-cluster-id-base32': id }),
    'goog-gke-cost-management': '',
    'goog-gke-node': '',
    'goog-gke-node-pool-provisioning-model': isSpot ? 'spot' : 'on-demand',
    [ownLabelKeys.nodePool]: owner.nodePool,
    [ownLabelKeys.nodeClass]: owner.nodeClass,
    [ownLabelKeys.cluster]: owner.cluster,
    [ownLabelKeys.location]: owner.location,
  }
}

/** Returns the list filter for the instances that Karpenter launched for clusters with this name in any location. */
export const ownInstancesFilter = (cluster: string): string =>
  `(labels.${ownLabelKeys.nodePool}:* AND labels.${ownLabelKeys.nodeClass}:* AND labels.${ownLabelKeys.cluster}:${cluster})`

const ID_LENGTH = 8

/** Returns the network tags of an instance, without duplicates. GKE's firewall rules refer to the first two. */
export const networkTags = (
  { cluster, clusterId }: Pick<InstanceOwner, 'cluster' | 'clusterId'>,
  ofClass: readonly string[],
): readonly string[] => [
  ...new Set([
    `gke-${cluster}-node`,
    ...(clusterId.length < ID_LENGTH ? [] : [`gke-${cluster}-${clusterId.slice(0, ID_LENGTH)}-node`]),
    ...ofClass,
  ]),
]
