/** A label whose value is the name of a node's group (`docs/spec/coexistence.md#node-groups`). It is plain data. */
export interface NodeGroupLabel {
  readonly label: string
  /**
   * Absent if other autoscalers use the label's value as the name of the group. Otherwise, their name for the group consists of this
   * prefix, the value, a hyphen and a suffix.
   */
  readonly groupPrefix?: string
}

/** Returns whether the group name `group` of another autoscaler refers to the nodes with this value of the label. */
export const meansGroup = ({ groupPrefix }: NodeGroupLabel, value: string, group: string): boolean =>
  value === group || (groupPrefix !== undefined && group.startsWith(`${groupPrefix}${value}-`))

/** The labels of tools that run on several clouds, and of clouds that Kerf has no provider for yet. */
export const commonGroupLabels: readonly NodeGroupLabel[] = [
  { label: 'cloud.google.com/gke-nodepool' },
  { label: 'kops.k8s.io/instancegroup' },
]
