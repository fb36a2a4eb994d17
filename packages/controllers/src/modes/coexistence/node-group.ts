import { labels, type Node, ownValue } from '@kerf/apis'

const EKS = 'eks.amazonaws.com/nodegroup'

/** Labels whose value is the name of the node group of a node (`docs/spec/coexistence.md#node-groups`). */
export const groupLabels: readonly string[] = [
  EKS,
  'alpha.eksctl.io/nodegroup-name',
  'cloud.google.com/gke-nodepool',
  'kubernetes.azure.com/agentpool',
  'kops.k8s.io/instancegroup',
]

/** The annotation with the same meaning, from Cluster Autoscaler's KWOK provider. */
const groupAnnotation = 'cluster-autoscaler.kwok.nodegroup/name'

/** The group of another autoscaler that a node belongs to. */
export interface NodeGroupName {
  readonly name: string
  /** The label or annotation with the name. */
  readonly key: string
}

/**
 * Returns whether a label or annotation shows that the node belongs to the group. On EKS the name of the group contains the
 * name of the node group.
 */
export const isOfGroup = (node: Node, group: string): boolean => keyOf(node, group) !== undefined

const keyOf = ({ metadata }: Node, group: string): string | undefined => {
  if (metadata.annotations?.[groupAnnotation] === group) return groupAnnotation
  return Object.entries(metadata.labels ?? {}).find(
    ([key, value]) => value === group || (key === EKS && group.startsWith(`eks-${value}-`)),
  )?.[0]
}

/**
 * Returns the node group of a node: a group that a Cluster Autoscaler reports, or the group in a well-known label or
 * annotation. Undefined for nodes of a NodePool, whatever labels the NodePool sets.
 */
export const groupOf = (node: Node, reported: readonly string[]): NodeGroupName | undefined => {
  const { labels: own = {}, annotations = {} } = node.metadata
  if (own[labels.nodePool] !== undefined) return undefined
  for (const name of reported) {
    const key = keyOf(node, name)
    if (key !== undefined) return { name, key }
  }
  const key = groupLabels.find((label) => ownValue(own, label) !== undefined)
  const name = key === undefined ? annotations[groupAnnotation] : ownValue(own, key)
  return name === undefined ? undefined : { name, key: key ?? groupAnnotation }
}
