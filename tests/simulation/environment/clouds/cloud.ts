import type { CustomResource, KubeObject, Milliseconds, Node, NodeClaim, ResourceKind } from '@kerf/apis'
import type { ControllerSettings } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import type { ProviderContext } from '@kerf/provider-contract'
import type { KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import type { ApiCall, CloudCall, OfferingSelector, SimulatedCloud } from '@kerf/sandbox'
import type { CloudDraws } from '../../runs/cloud-draws.ts'
import type { OwnFault } from '../../runs/simulated-run.ts'
import type { FailedCall } from '../cloud-faults.ts'
import type { ProcessHandle, RunningProvider } from '../kerf-process.ts'
import type { Listeners } from '../listeners.ts'
import type { LiveInstance } from '../live-instance.ts'
import type { Periods } from '../periods.ts'

/** The simulation's interface for a simulated cloud: the cloud's inputs, and the functions through which it reports events. */
export interface CloudHost {
  readonly clock: VirtualClock
  /** The source of randomness. Fork it with a name that is unique to the cloud. */
  readonly random: SeededRandom
  /** The client of users and of the cloud's own controllers. No faults are injected into its calls. */
  readonly admin: KubeClient
  /** The instance types that the simulation of the cloud has loaded. */
  readonly instanceTypes: readonly InstanceType[]
  readonly settings: ControllerSettings
  readonly listeners: Listeners
  /** The periods in which some offerings were unavailable. */
  readonly shortages: Periods
  /** Provider IDs of instances that the cloud has interrupted or that have died. */
  readonly interrupted: Set<string>
  claims(): readonly NodeClaim[]
  nodes(): readonly Node[]
  /** Reports whether this instance never registers a Node. Called once for each instance that boots. */
  neverRegisters(): boolean
  /** Stops the kubelet of a node whose instance is terminated. */
  silence(nodeName: string): void
  /** Called for each call to the cloud, with a verb that all clouds use. Returns the fault to inject, if any. May crash the process. */
  failureOf(call: CloudCall): FailedCall | undefined
  /**
   * Returns the failure to inject into a call of an exhaustive run: `crash-…` kills the process during the call, and `lost` loses the
   * response.
   */
  pointOf(call: { readonly isWrite: boolean }): 'crash-before' | 'crash-after' | 'lost' | undefined
}

/** An object with its kind. */
export interface PlacedObject {
  readonly kind: ResourceKind
  readonly object: KubeObject
}

/**
 * The simulation of a cloud: how a seed determines the cloud's runs, and how a run creates the cloud. To add a cloud, export this as
 * `simulation` from `testing/simulation/index.ts` of its provider.
 */
export interface CloudSimulation extends CloudDraws {
  /** How many iterations of the event loop run between two timers. The default is 1. */
  readonly turns?: number
  /** Objects that exist in every simulated cluster, whatever its cloud. Example: a node class that other providers must ignore. */
  readonly inEveryCluster?: readonly PlacedObject[]
  /** Loads the instance types that `create` needs. */
  instanceTypes?(): Promise<readonly InstanceType[]>
  create(host: CloudHost): Cloud
}

/** A simulated cloud: its instances, the effects of faults on them, and the provider of each process. */
export interface Cloud<F extends OwnFault = OwnFault> {
  /** Present if the sandbox boots the instances and registers their Nodes. */
  readonly sandbox?: SimulatedCloud
  /** The provider IDs of instances that Kerf does not own. Kerf must not terminate them. */
  readonly foreignInstances: ReadonlySet<string>
  /** Reports whether Kerf must find an instance without a NodeClaim within ten minutes (invariant `leaked-instances-terminate`). */
  readonly collectsLeaks: boolean
  /** The kinds of node classes. Their CRDs are created before `prepare`, even if the cloud is not in the list of providers. */
  readonly resources?: readonly CustomResource[]
  /** Creates node classes and other custom resources, before the NodePools. */
  prepare(client: KubeClient): Promise<void>
  /** Returns the provider of a process. Calls of a dead process must have no effect. */
  provider(context: ProviderContext, handle: ProcessHandle): RunningProvider
  /** Returns the instances that cost money, including terminating ones. */
  billed(): readonly LiveInstance[]
  /** Returns the instances that are running or starting, except those whose termination was requested. */
  running(): readonly LiveInstance[]
  /** Returns the hourly price, in dollars, of the offering with which a NodeClaim was launched. Returns undefined before the launch. */
  priceOf(claim: NodeClaim): number | undefined
  /** Makes the offerings unavailable. Returns a function that makes them available again. */
  stockOut(selector: OfferingSelector): () => void
  /** The longest time for which the provider treats a refused offering as unavailable. The default is 4 minutes. */
  readonly refusedFor?: Milliseconds
  /** Makes one of the instances die. `pick` selects it. */
  kill(pick: number): void
  /** Interrupts the spot instance that `pick` selects. Does nothing if the cloud has no spot interruptions. */
  interrupt(pick: number): void
  /** Ends all active faults. */
  recover(): void
  /** Reports whether the node's instance is terminated. In this case, its kubelet sends no more updates. */
  isGone?(nodeName: string): boolean
  /** Called after one of Kerf's calls to the API server has taken effect. */
  acted?(call: ApiCall): void
  /** Begins a fault that only this cloud can have. */
  inject?(fault: F): void
  /** Reports whether the instance has drifted from its node class. Absent if only changes of the NodePool cause drift. */
  hasDrifted?(claim: NodeClaim): boolean
  /** Reports whether an instance may run without a NodeClaim, because another owner requested it or Kerf cannot terminate it. */
  mayBeUnclaimed?(providerID: string): boolean
  /**
   * Reports whether the launch of an instance has failed or taken too long, so that Kerf may terminate the instance and keep its NodeClaim.
   * Absent if the cloud does not know (invariant `launches-are-kept`).
   */
  hasFailedLaunch?(providerID: string): boolean
  /** Returns network interfaces and disks that belong to no instance and no NodeClaim, but still cost money or occupy an address. */
  leftovers?(): readonly string[]
  /** Returns a message for each resource that Kerf does not own and that was deleted. */
  takenFromOthers?(): readonly string[]
  /** Returns the number of interruption notices that Kerf has not read yet. */
  unreadNotices?(): number
}
