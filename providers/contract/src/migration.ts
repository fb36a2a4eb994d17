/** What happens to one field or flag of a source of `kerf migrate cas`. Every field and flag has one. */
export interface Fate {
  /** The source object, for example `ASG web` or `Deployment kube-system/cluster-autoscaler`. */
  readonly object: string
  readonly field: string
  readonly fate: 'carried over' | 'changed' | 'not carried over'
  /** Its new place, for example `NodePool spec.limits.nodes`. Absent if it is not carried over. */
  readonly to?: string
  /** Why its meaning changes, or why it is not carried over. */
  readonly because?: string
}
