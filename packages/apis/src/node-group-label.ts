/** A label whose value is the name of a node's group (`docs/spec/coexistence.md#node-groups`). Plain data. */
export interface NodeGroupLabel {
  readonly label: string
  /**
   * The prefix of the names that other autoscalers use: they call the group PREFIX, followed by the value of the label, a hyphen and a
   * suffix. Absent if they use the value itself.
   */
  readonly groupPrefix?: string
}

/** Returns whether another autoscaler's name of a group means the group that a node has by this value of the label. */
export const meansGroup = ({ groupPrefix }: NodeGroupLabel, value: string, group: string): boolean =>
  value === group || (groupPrefix !== undefined && group.startsWith(`${groupPrefix}${value}-`))

/** The labels of tools that run on several clouds, and of clouds whose provider does not exist yet. */
export const commonGroupLabels: readonly NodeGroupLabel[] = [
  { label: 'cloud.google.com/gke-nodepool' },
  { label: 'kops.k8s.io/instancegroup' },
]
