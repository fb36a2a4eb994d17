/** What is wrong with what a ClusterAPINodeClass selects (`docs/spec/cluster-api.md#problems`). */
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

/** What becomes of the deployment until the problem is solved. `told`: nothing, it is used as any other. */
export type MemberConsequence = 'not-used' | 'no-launch' | 'no-drift' | 'told'

export interface MemberProblem {
  readonly reason: MemberProblemReason
  readonly consequence: MemberConsequence
  /** What has to be changed: a MachineDeployment, a Cluster, a ClusterAPINodeClass or a Node. */
  readonly object: { readonly kind: string; readonly namespace?: string; readonly name: string }
  /** What is wrong with it. */
  readonly detail: string
  /** What to do. */
  readonly remedy: string
}

const consequences: Readonly<Record<MemberConsequence, string>> = {
  'not-used': ' It is not used until then.',
  'no-launch': ' No machine is launched from it until then.',
  'no-drift': ' Its nodes do not drift until then.',
  told: '',
}

/** The problem in words, for conditions, events and logs. */
export const describeMemberProblem = ({ object, detail, remedy, consequence }: MemberProblem): string => {
  const name = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`
  return `${object.kind} ${name}: ${detail}; ${remedy}.${consequences[consequence]}`
}
