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

/** The collaborators of a simulated cloud, and the functions that it reports to. */
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
  /** Provider IDs of instances that the cloud interrupts or that died. */
  readonly interrupted: Set<string>
  claims(): readonly NodeClaim[]
  nodes(): readonly Node[]
  /** Reports whether an instance never registers. Called once for each instance that boots. */
  neverRegisters(): boolean
  /** Stops the kubelet of a node whose instance is terminated. */
  silence(nodeName: string): void
  /** Called for each call to the cloud, with a verb that all clouds share. Returns the fault to inject. May end the process. */
  failureOf(call: CloudCall): FailedCall | undefined
  /** Returns the failure of a call in a story: `crash-…` ends the process within the call, `lost` loses the answer. */
  pointOf(call: { readonly isWrite: boolean }): 'crash-before' | 'crash-after' | 'lost' | undefined
}

/** An object with its kind. */
export interface PlacedObject {
  readonly kind: ResourceKind
  readonly object: KubeObject
}

/**
 * The simulation of a cloud: how seeds draw its runs, and how a run creates it. To add a cloud, export this as `simulation` from
 * `testing/simulation/index.ts` of its provider.
 */
export interface CloudSimulation extends CloudDraws {
  /** How many turns of the event loop pass between two timers. Default: 1. */
  readonly turns?: number
  /** The objects that exist in the clusters of all clouds, for example a node class that a provider of another cloud must ignore. */
  readonly inEveryCluster?: readonly PlacedObject[]
  /** Loads the instance types that `create` needs. */
  instanceTypes?(): Promise<readonly InstanceType[]>
  create(host: CloudHost): Cloud
}

/** A simulated cloud: its instances, the effects of faults on them, and the provider of each process. */
export interface Cloud<F extends OwnFault = OwnFault> {
  /** Present if the sandbox boots the instances and registers their Nodes. */
  readonly sandbox?: SimulatedCloud
  /** Instances of other owners, by provider ID. Kerf must not terminate them. */
  readonly foreignInstances: ReadonlySet<string>
  /** Reports whether Kerf must find an instance without a claim within ten minutes (`leaked-instances-terminate`). */
  readonly collectsLeaks: boolean
  /** The kinds of node classes. Their CRDs are created before `prepare`, even if the list of providers does not have the cloud. */
  readonly resources?: readonly CustomResource[]
  /** Creates node classes and other custom resources, before the NodePools. */
  prepare(client: KubeClient): Promise<void>
  /** Returns the provider of a process. Calls of a dead process must have no effect. */
  provider(context: ProviderContext, handle: ProcessHandle): RunningProvider
  /** Returns the instances that cost money, including terminating ones. */
  billed(): readonly LiveInstance[]
  /** Returns the instances that run or are about to run, and that nobody has asked to terminate. */
  running(): readonly LiveInstance[]
  /** Returns the price of the offering that a claim was launched with, in dollars per hour; undefined before the launch. */
  priceOf(claim: NodeClaim): number | undefined
  /** Makes the offerings unavailable. Returns a function that makes them available again. */
  stockOut(selector: OfferingSelector): () => void
  /** The longest time for which the provider treats a refused offering as unavailable. Default: 4 minutes. */
  readonly refusedFor?: Milliseconds
  /** Makes an instance die, chosen by `pick`. */
  kill(pick: number): void
  /** Interrupts a spot instance. Absent if the cloud never does. */
  interrupt(pick: number): void
  /** Ends all active faults. */
  recover(): void
  /** Reports whether the node's instance is terminated, so that its kubelet cannot recover. */
  isGone?(nodeName: string): boolean
  /** Called when a call of Kerf to the API server has taken effect. */
  acted?(call: ApiCall): void
  /** Begins a fault that only this cloud has. */
  inject?(fault: F): void
  /** Reports whether the instance has drifted from its node class. Absent if nodes drift only from NodePools. */
  hasDrifted?(claim: NodeClaim): boolean
  /** Reports whether an instance may run without a claim: another owner requested it, or Kerf has no way to end it. */
  mayBeUnclaimed?(providerID: string): boolean
  /** Returns the interfaces and disks that belong to neither an instance nor a claim, but cost money or an address. */
  leftovers?(): readonly string[]
  /** Returns what other owners requested and no longer have. */
  takenFromOthers?(): readonly string[]
  /** Returns how many interruption notices Kerf has not read yet. */
  unreadNotices?(): number
}
