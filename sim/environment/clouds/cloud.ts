import type { Milliseconds, Node, NodeClaim } from '@kerf/apis'
import type { ControllerSettings } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import type { ProviderContext } from '@kerf/provider-contract'
import type { KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import type { ApiCall, CloudCall, OfferingSelector, SimulatedCloud } from '@kerf/sandbox'
import type { AwsFault, AzureFault, ClusterApiFault } from '../../runs/simulated-run.ts'
import type { FailedCall } from '../cloud-faults.ts'
import type { ProcessHandle, RunningProvider } from '../kerf-process.ts'
import type { Listeners } from '../listeners.ts'
import type { LiveInstance } from '../live-instance.ts'
import type { Periods } from '../periods.ts'

/** What a cloud of the simulation is made from, and what it reports to. */
export interface CloudHost {
  readonly clock: VirtualClock
  /** Fork it by a name of the cloud's own: the name belongs to the seed. */
  readonly random: SeededRandom
  /** The client of the users and of the cloud's own controllers. No fault is injected into its calls. */
  readonly admin: KubeClient
  /** A dozen types of the KWOK provider, for clouds that sell no types of their own. */
  readonly instanceTypes: readonly InstanceType[]
  readonly settings: ControllerSettings
  readonly listeners: Listeners
  /** When some offerings were not available. */
  readonly shortages: Periods
  /** Provider IDs of instances that the cloud interrupts, or that died. */
  readonly interrupted: Set<string>
  claims(): readonly NodeClaim[]
  nodes(): readonly Node[]
  /** Asked once for each instance that boots: whether it never registers. */
  neverRegisters(): boolean
  /** Silences the kubelet of a node whose instance is terminated. */
  silence(nodeName: string): void
  /** A process makes a call to the cloud, by the words of every cloud. The answer is the fault injected into it; it may end the process. */
  failureOf(call: CloudCall): FailedCall | undefined
  /** What a single point of a story does to a call: `crash-…` ends the process within it, `lost` loses its answer. */
  pointOf(call: { readonly isWrite: boolean }): 'crash-before' | 'crash-after' | 'lost' | undefined
}

/**
 * A cloud of the simulation: its instances, what faults do to them, and the provider of each process. A new cloud is one file
 * beside this one, a line in `clouds.ts`, and its names in `runs/cloud-names.ts`.
 */
export interface Cloud {
  /** Given when the sandbox itself boots the instances and registers their Nodes. */
  readonly sandbox?: SimulatedCloud
  /** Instances of other owners, by provider ID. Kerf must not terminate them. */
  readonly foreignInstances: ReadonlySet<string>
  /** Whether an instance without a claim is due to be found within ten minutes (`leaked-instances-terminate`). */
  readonly collectsLeaks: boolean
  /** Creates custom resources and node classes, before the NodePools. */
  prepare(client: KubeClient): Promise<void>
  /** The provider as a process runs it. Calls of a dead process must go nowhere. */
  provider(context: ProviderContext, handle: ProcessHandle): RunningProvider
  /** Instances that cost money, including terminating ones. */
  billed(): readonly LiveInstance[]
  /** Instances that run or are about to, and that nobody has asked to terminate. */
  running(): readonly LiveInstance[]
  /** Dollars an hour of the offering that a claim was launched with; nothing for a claim that was not launched. */
  priceOf(claim: NodeClaim): number | undefined
  /** Makes the offerings unavailable. Returns what makes them available again. */
  stockOut(selector: OfferingSelector): () => void
  /** The longest time for which the cloud's provider counts a refused offering as unavailable. Default 4 min. */
  readonly refusedFor?: Milliseconds
  /** An instance dies, as `pick` chooses. */
  kill(pick: number): void
  /** The cloud takes a spot instance back. Nothing where it never does. */
  interrupt(pick: number): void
  /** Ends all faults that are under way. */
  recover(): void
  /** Whether the node's instance is terminated, so that its kubelet cannot come back. */
  isGone?(nodeName: string): boolean
  /** A call of Kerf to the API server has taken effect. */
  acted?(call: ApiCall): void
  /** Begins a fault that only AWS has. */
  inject?(fault: AwsFault): void
  /** Begins a fault that only Azure has. */
  injectAzure?(fault: AzureFault): void
  /** Begins a fault that only Cluster API has. */
  injectClusterApi?(fault: ClusterApiFault): void
  /** Whether the cloud has other instances in mind for the claim now. Nothing where nodes drift from NodePools alone. */
  hasDrifted?(claim: NodeClaim): boolean
  /** Whether an instance may run without a claim: others asked for it, or the cloud has no way to end it. */
  mayBeUnclaimed?(providerID: string): boolean
  /** What costs money or an address, and neither an instance nor a claim has: interfaces and disks. */
  leftovers?(): readonly string[]
  /** What others asked for and do not have any more. */
  takenFromOthers?(): readonly string[]
  /** How many notices of interruptions Kerf has not read yet. */
  unreadNotices?(): number
}
