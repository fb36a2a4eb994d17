import type { KubeObject, Milliseconds, ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import type { Cluster } from '../objects/cluster.ts'
import type { ClusterApiKinds } from '../objects/kinds.ts'
import type { Machine } from '../objects/machine.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { MachineSet } from '../objects/machine-set.ts'
import type { GrantedPermissions } from './granted-permissions.ts'
import type { ManagementProblem } from './management-problem.ts'
import type { Reachability } from './reachability.ts'

/** The name of an object of the management cluster. All kinds that Kerf uses are namespaced. */
export interface NamespacedName {
  readonly namespace: string
  readonly name: string
}

/** One MachineDeployment and its objects, read from the API server in this order. */
export interface FreshDeployment {
  readonly deployment: MachineDeployment
  /** All sets that the MachineDeployment controls, including those without replicas. */
  readonly sets: readonly MachineSet[]
  /** All Machines of the MachineDeployment, including those that are being deleted. */
  readonly machines: readonly Machine[]
}

/**
 * The cluster in which Cluster API runs. It is often the cluster that Kerf manages. The read methods return cached objects, which may lag.
 * They throw NotKnownYetError before the first list, and until our own Cluster is known. They also throw it after the API server has not
 * responded for `UNREACHABLE_AFTER`, because the cached objects are then too old.
 */
export interface ManagementCluster {
  readonly client: KubeClient
  /** The source of the connection, for example `CLUSTER_API_URL`, for messages. */
  readonly origin: string
  /** The kinds in the served version. @throws NotKnownYetError before discovery. */
  readonly kinds: ClusterApiKinds
  /** The Cluster that Kerf manages. @throws NotKnownYetError until it is proved. */
  readonly ownCluster: NamespacedName
  /** MachineDeployments of every Cluster, so that messages can mention those of other Clusters. */
  deployments(): readonly MachineDeployment[]
  deployment(name: NamespacedName): MachineDeployment | undefined
  /** All Clusters. */
  clusters(): readonly Cluster[]
  /** Machines of our own Cluster, including its control plane. */
  machines(): readonly Machine[]
  machine(name: NamespacedName): Machine | undefined
  /**
   * Returns the Machines with this provider ID. Normally there is only one. If two Machines have the same ID, the infrastructure provider
   * is faulty, and it is unknown which of them a Node belongs to.
   */
  machinesWith(providerId: string): readonly Machine[]
  /** Returns the Machines with the UID of a NodeClaim. */
  machinesTakenBy(claimUid: string): readonly Machine[]
  machinesOf(deployment: NamespacedName): readonly Machine[]
  /**
   * Returns the MachineSets of our own Cluster. If Kerf is not allowed to list them, returns none, and `problems` reports the missing
   * permission.
   */
  machineSetsOf(deployment: NamespacedName): readonly MachineSet[]
  /**
   * Reads from the API server, for decisions that lead to writes. Reads the MachineDeployment first, then its MachineSets, then its
   * Machines, so that the result contains every Machine that the deployment's replicas requested. Undefined if the deployment does not
   * exist.
   *
   * @throws ApiError of a failed call; NotKnownYetError before discovery.
   */
  fresh(deployment: NamespacedName, signal: AbortSignal): Promise<FreshDeployment | undefined>
  /**
   * Writes a merge patch. If the patch contains `metadata.resourceVersion` and the object has changed, the server returns 409. If Kerf is
   * allowed to update but not to patch, as with the role of upstream's chart, reads the object and updates it instead.
   *
   * @throws ApiError
   */
  patch<T extends KubeObject>(
    kind: ResourceKind<T>,
    name: NamespacedName,
    body: object,
    signal: AbortSignal,
  ): Promise<T>
  readonly reachability: Reachability
  readonly permissions: GrantedPermissions
  /** The problems that affect the management cluster as a whole, each with a remedy. */
  problems(): readonly ManagementProblem[]
  /**
   * Calls the listener after each change of a MachineDeployment, MachineSet, Machine or Cluster, and after each change of the problems. At
   * registration, also calls it for every known object, because controllers start long after the first lists. Returns a function that
   * removes the listener.
   */
  onChange(listener: (change: ManagementChange) => void): () => void
}

export type ManagementChange =
  | { readonly kind: 'deployment' | 'machine' | 'set' | 'cluster'; readonly name: NamespacedName }
  | { readonly kind: 'problems' }

/** How long the read methods return cached objects while the API server does not respond. */
export const UNREACHABLE_AFTER: Milliseconds = 120_000
