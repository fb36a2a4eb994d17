/** A label whose value is the name of a node's group (`docs/spec/coexistence.md#node-groups`). It is plain data. */
export interface NodeGroupLabel {
  readonly label: string
  /**
   * Absent if other autoscalers use the label's value as the name of the group. Otherwise, their name for the group consists of this
   * prefix, the value, a hyphen and a suffix.
   */
  readonly groupPrefix?: string
}

/**
 * Returns whether `group`, a name that another autoscaler uses, refers to the group whose nodes have this value of the label.
 */
export const meansGroup = ({ groupPrefix }: NodeGroupLabel, value: string, group: string): boolean =>
  value === group || (groupPrefix !== undefined && group.startsWith(`${groupPrefix}${value}-`))

/** The labels of tools that run on several clouds, and of clouds for which there is no provider yet. */
export const commonGroupLabels: readonly NodeGroupLabel[] = [
  { label: 'cloud.google.com/gke-nodepool' },
  { label: 'kops.k8s.io/instancegroup' },
]
