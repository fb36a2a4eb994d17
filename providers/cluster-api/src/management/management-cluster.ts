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

/** The name of an object of the management cluster, where all kinds that Kerf uses are namespaced. */
export interface NamespacedName {
  readonly namespace: string
  readonly name: string
}

/** One MachineDeployment and everything below it, read from the API server in this order. */
export interface FreshDeployment {
  readonly deployment: MachineDeployment
  /** All sets that it controls, those without replicas too. */
  readonly sets: readonly MachineSet[]
  /** All its Machines, those that are being deleted too. */
  readonly machines: readonly Machine[]
}

/**
 * The cluster in which Cluster API runs; often the one that Kerf works for. What the readers answer comes from memory and
 * may lag. Each of them throws NotKnownYetError before the first list, before our own Cluster is known, and once the API has
 * not answered for `UNREACHABLE_AFTER`: what is remembered then no longer says what is missing.
 */
export interface ManagementCluster {
  readonly client: KubeClient
  /** Where the connection comes from, for messages. */
  readonly origin: string
  /** The kinds in the version that is served. @throws NotKnownYetError before discovery. */
  readonly kinds: ClusterApiKinds
  /** The Cluster that Kerf works for. @throws NotKnownYetError until it is proved. */
  readonly ownCluster: NamespacedName
  /** MachineDeployments of every cluster, so that one that is not ours can be named. */
  deployments(): readonly MachineDeployment[]
  deployment(name: NamespacedName): MachineDeployment | undefined
  /** Clusters of every name. */
  clusters(): readonly Cluster[]
  /** Machines of our own cluster, its control plane's too. */
  machines(): readonly Machine[]
  machine(name: NamespacedName): Machine | undefined
  /** Normally one. Two that say the same are an infrastructure's fault: then nobody knows which one a Node is. */
  machinesWith(providerId: string): readonly Machine[]
  /** Those that carry the UID of a NodeClaim. */
  machinesTakenBy(claimUid: string): readonly Machine[]
  machinesOf(deployment: NamespacedName): readonly Machine[]
  /** MachineSets of our own cluster; without the right to list them none, which `problems` says. */
  machineSetsOf(deployment: NamespacedName): readonly MachineSet[]
  /**
   * Reads from the API server, for decisions that write. The deployment first, then its sets, then its Machines, so that a
   * Machine is never missing that the deployment's replicas asked for. Undefined when the deployment does not exist.
   *
   * @throws ApiError of a call that failed; NotKnownYetError before discovery.
   */
  fresh(deployment: NamespacedName, signal: AbortSignal): Promise<FreshDeployment | undefined>
  /**
   * Writes a merge patch. With `metadata.resourceVersion` in it, the server answers 409 when the object has moved on. Where
   * Kerf may update but not patch, as with the role of upstream's chart, it reads the object and updates it.
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
  /** What is wrong with the management cluster as a whole, each with what to do. */
  problems(): readonly ManagementProblem[]
  /**
   * Called after a MachineDeployment, a MachineSet, a Machine or a Cluster changed, and after the problems did. Also called
   * for every object that is known when registered: controllers begin long after the first lists. Returns the way to stop.
   */
  onChange(listener: (change: ManagementChange) => void): () => void
}

export type ManagementChange =
  | { readonly kind: 'deployment' | 'machine' | 'set' | 'cluster'; readonly name: NamespacedName }
  | { readonly kind: 'problems' }

/** How long readers answer from memory while the API does not answer. */
export const UNREACHABLE_AFTER: Milliseconds = 120_000
