/** A problem with the objects that a ClusterAPINodeClass selects (`providers/cluster-api/docs/spec/cluster-api.md#problems`). */
export type MemberProblemReason =
  | 'SelectorInvalid'
  | 'NothingSelected'
  | 'OtherCluster'
  | 'MemberLabelHasValue'
  | 'SelectedTwice'
  | 'Deleting'
  | 'Paused'
  | 'ClusterPaused'
  | 'MemberLabelInTemplate'
  | 'RollingUpdateReplacesNodes'
  | 'ScaledByOthers'
  | 'NodeWithoutMachine'

/**
 * The consequence for the MachineDeployment until the problem is fixed. With `report-only`, Kerf reports the problem and uses the
 * MachineDeployment as usual.
 */
export type MemberConsequence = 'not-used' | 'no-launch' | 'no-drift' | 'report-only'

export interface MemberProblem {
  readonly reason: MemberProblemReason
  readonly consequence: MemberConsequence
  /** The object to change: a MachineDeployment, a Cluster, a ClusterAPINodeClass or a Node. */
  readonly object: { readonly kind: string; readonly namespace?: string; readonly name: string }
  /** A description of the problem. */
  readonly detail: string
  /** What to do. */
  readonly remedy: string
}

const consequences: Readonly<Record<MemberConsequence, string>> = {
  'not-used': ' Until then it is not used.',
  'no-launch': ' Until then no machine is launched from it.',
  'no-drift': ' Until then its nodes do not drift.',
  'report-only': '',
}

/** Returns the problem as text, for conditions, events and logs. */
export const describeMemberProblem = ({ object, detail, remedy, consequence }: MemberProblem): string => {
  const name = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`
  return `${object.kind} ${name}: ${detail}; ${remedy}.${consequences[consequence]}`
}
