import { labels, meansGroup, type Node, type NodeGroupLabel, ownValue } from '@kerf/apis'

/** The annotation in which Cluster Autoscaler's KWOK provider stores the name of the node group. */
const groupAnnotation = 'cluster-autoscaler.kwok.nodegroup/name'

/** The node group of another autoscaler that a node belongs to. */
export interface NodeGroupName {
  readonly name: string
  /** The key of the label or annotation that contains the name. */
  readonly key: string
}

/** Returns whether a label or annotation assigns the node to the group. */
export const isOfGroup = (node: Node, group: string, groupLabels: readonly NodeGroupLabel[]): boolean =>
  nodeKey(node, group, groupLabels) !== undefined

const nodeKey = ({ metadata }: Node, group: string, groupLabels: readonly NodeGroupLabel[]): string | undefined => {
  if (metadata.annotations?.[groupAnnotation] === group) return groupAnnotation
  return Object.entries(metadata.labels ?? {}).find(
    ([key, value]) =>
      value === group || groupLabels.some((each) => each.label === key && meansGroup(each, value, group)),
  )?.[0]
}

/**
 * Returns the node group of another autoscaler that the node belongs to. This is either a group that a Cluster Autoscaler reports, or the
 * group in a well-known label or annotation. Returns undefined for nodes of a NodePool, even if the NodePool sets one of these labels.
 */
export const nodeGroupName = (
  node: Node,
  reported: readonly string[],
  groupLabels: readonly NodeGroupLabel[],
): NodeGroupName | undefined => {
  const { labels: own = {}, annotations = {} } = node.metadata
  if (own[labels.nodePool] !== undefined) return undefined
  for (const name of reported) {
    const key = nodeKey(node, name, groupLabels)
    if (key !== undefined) return { name, key }
  }
  const key = groupLabels.find(({ label }) => ownValue(own, label) !== undefined)?.label
  const name = key === undefined ? annotations[groupAnnotation] : ownValue(own, key)
  return name === undefined ? undefined : { name, key: key ?? groupAnnotation }
}
