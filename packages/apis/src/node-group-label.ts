/** A label whose value is the name of a node's group (`docs/spec/coexistence.md#node-groups`). It is plain data. */
export interface NodeGroupLabel {
  readonly label: string
  /**
   * If other autoscalers do not use the label's value itself as the name of the group: the prefix of their name. Their name is then
   * the prefix, the value, a hyphen and a suffix.
   */
  readonly groupPrefix?: string
}

/** Returns whether `group`, the name that another autoscaler uses, means the group of nodes with this value of the label. */
export const meansGroup = ({ groupPrefix }: NodeGroupLabel, value: string, group: string): boolean =>
  value === group || (groupPrefix !== undefined && group.startsWith(`${groupPrefix}${value}-`))

/** The labels of tools that run on several clouds, and of clouds for which there is no provider yet. */
export const commonGroupLabels: readonly NodeGroupLabel[] = [
  { label: 'cloud.google.com/gke-nodepool' },
  { label: 'kops.k8s.io/instancegroup' },
]
