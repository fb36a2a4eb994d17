import type { Milliseconds } from '@kerf/apis'

/**
 * The facts about Cluster API's objects that decisions about replicas and bindings need. Nothing here calls an API. All views of
 * one decision come from reads made after the decision began, in this order: the MachineDeployment, its MachineSets, its Machines,
 * and the NodeClaims.
 */

/** The annotation `cluster.x-k8s.io/delete-machine`: its writer, and the time if the value contains it. */
export interface DeleteMark {
  /**
   * Kerf writes a value that begins with its own name. Any other value comes from another writer. For the mark of another writer, only its
   * presence matters.
   */
  readonly by: 'kerf' | 'others'
  readonly at: Milliseconds | undefined
}

export interface MachineView {
  readonly name: string
  readonly uid: string
  /** The name of the Machine's MachineSet. Undefined if no set owns the Machine. */
  readonly set: string | undefined
  readonly createdAt: Milliseconds
  /** True if the Machine has the label `node.cluster.x-k8s.io/karpenter-member`. */
  readonly member: boolean
  /** The UID of the NodeClaim that bound it (`kerf.sh/nodeclaim-uid`). Upstream's provider does not write it. */
  readonly claimUid: string | undefined
  readonly mark: DeleteMark | undefined
  /** True if the Machine has a deletionTimestamp. */
  readonly deleting: boolean
  /** True if the deletion takes long, for example because a PodDisruptionBudget blocks Cluster API's drain. */
  readonly lingering: boolean
  /** True if the Machine is in phase Failed. Such a Machine will never become a Node. */
  readonly failed: boolean
  /** True once the Machine refers to a Node. */
  readonly registered: boolean
}

export interface MachineSetView {
  readonly name: string
  /** The annotation `machinedeployment.clusters.x-k8s.io/revision`. The newest set has the highest value. */
  readonly revision: number
  /** `spec.replicas`. */
  readonly replicas: number
}

export interface DeploymentView {
  /** Namespace and name, for messages and for the binding. */
  readonly namespace: string
  readonly name: string
  /** `spec.replicas`. Cluster API's webhook always sets it. */
  readonly replicas: number
  /** The annotation `kerf.sh/replicas-wanted`: the `spec.replicas` that Kerf last wrote. Undefined before the first write. */
  readonly lastWritten: number | undefined
  /** The annotation `kerf.sh/replicas-of-others`: how many replicas others requested. Undefined before the first write. */
  readonly ofOthers: number | undefined
  readonly strategy: 'RollingUpdate' | 'OnDelete'
  /** The annotation `…node-group-max-size`. Undefined means no limit. */
  readonly maximum: number | undefined
  /**
   * True if the template has the member label. In that case every Machine has the label, so it does not show whether a Machine is
   * bound.
   */
  readonly bornMember: boolean
}

export interface ClaimView {
  readonly name: string
  readonly uid: string
  /** The Machine in the NodeClaim's annotation `cluster.x-k8s.io/machine`, if it is in this MachineDeployment's namespace. */
  readonly machine: string | undefined
  readonly deleting: boolean
  /** True if the NodeClaim chose this MachineDeployment (`kerf.sh/machine-deployment`) and has no instance yet. */
  readonly waiting: boolean
}

/** The inputs of one decision about one MachineDeployment. */
export interface DeploymentState {
  readonly deployment: DeploymentView
  readonly sets: readonly MachineSetView[]
  /** All Machines of the MachineDeployment, including those that are being deleted. */
  readonly machines: readonly MachineView[]
  /** All NodeClaims of the cluster, not only those of this MachineDeployment. If one were missing, its Machine would look abandoned. */
  readonly claims: readonly ClaimView[]
}
