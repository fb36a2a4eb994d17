/** What `kerf migrate cas` does with one field or flag of a source. Every field and flag of the source has an entry. */
export interface FieldConversion {
  /** The source object, for example `ASG web` or `Deployment kube-system/cluster-autoscaler`. */
  readonly object: string
  readonly field: string
  readonly fate: 'carried over' | 'changed' | 'not carried over'
  /** The target of the value, for example `NodePool spec.limits.nodes`. Absent if the field is not carried over. */
  readonly to?: string
  /** Why the field's meaning changes, or why the field is not carried over. */
  readonly because?: string
}
