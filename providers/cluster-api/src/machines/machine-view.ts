import type { Milliseconds } from '@kerf/apis'

/**
 * What the arithmetic of replicas and bindings needs to know of Cluster API's objects. The reading of real objects fills these
 * views; nothing here calls an API. All views of one decision come from reads made after the decision began: first the
 * MachineDeployment, then its MachineSets, then its Machines, then the NodeClaims.
 */

/** The annotation `cluster.x-k8s.io/delete-machine`: who wrote it, and when, if the value says so. */
export interface DeleteMark {
  /** Kerf's value begins with its own name. Of any other value only the presence counts: another writer set it. */
  readonly by: 'kerf' | 'others'
  readonly at: Milliseconds | undefined
}

export interface MachineView {
  readonly name: string
  readonly uid: string
  /** Name of its MachineSet; undefined for a Machine that no set owns. */
  readonly set: string | undefined
  readonly createdAt: Milliseconds
  /** True with the label `node.cluster.x-k8s.io/karpenter-member`. */
  readonly member: boolean
  /** UID of the NodeClaim that bound it (`kerf.sh/nodeclaim-uid`). Upstream's provider does not write it. */
  readonly claimUid: string | undefined
  readonly mark: DeleteMark | undefined
  /** True with a deletionTimestamp. */
  readonly deleting: boolean
  /** True where the deletion takes long, for instance because a PodDisruptionBudget holds up Cluster API's drain. */
  readonly lingering: boolean
  /** True in phase Failed: it will never become a Node. */
  readonly failed: boolean
  /** True once the Machine names a Node. */
  readonly registered: boolean
}

export interface MachineSetView {
  readonly name: string
  /** Annotation `machinedeployment.clusters.x-k8s.io/revision`. The set with the greatest one is the newest. */
  readonly revision: number
  /** spec.replicas. */
  readonly replicas: number
}

export interface DeploymentView {
  /** `namespace/name`, for messages and for the binding. */
  readonly namespace: string
  readonly name: string
  /** spec.replicas; the webhook of Cluster API leaves none out. */
  readonly replicas: number
  /** Annotation `kerf.sh/replicas-wanted`: spec.replicas as Kerf last wrote it. Undefined before the first write. */
  readonly lastWritten: number | undefined
  /** Annotation `kerf.sh/replicas-of-others`: replicas that somebody else asked for. Undefined before the first write. */
  readonly ofOthers: number | undefined
  readonly strategy: 'RollingUpdate' | 'OnDelete'
  /** Annotation `…node-group-max-size`; undefined: no limit. */
  readonly maximum: number | undefined
  /** True where the template carries the member label. Then the label is on every Machine and says nothing about a binding. */
  readonly bornMember: boolean
}

export interface ClaimView {
  readonly name: string
  readonly uid: string
  /** Machine that the annotation `cluster.x-k8s.io/machine` of the NodeClaim names, where it is in this deployment's namespace. */
  readonly machine: string | undefined
  readonly deleting: boolean
  /** True where it chose this deployment (`kerf.sh/machine-deployment`) and has no instance yet. */
  readonly waiting: boolean
}

/** Everything one decision about one MachineDeployment reads. */
export interface DeploymentState {
  readonly deployment: DeploymentView
  readonly sets: readonly MachineSetView[]
  /** All Machines of the deployment, those that are being deleted too. */
  readonly machines: readonly MachineView[]
  /** Every NodeClaim of the cluster, not only those of this deployment: a missing one would make its Machine look abandoned. */
  readonly claims: readonly ClaimView[]
}
