import type { LabelVocabulary, Milliseconds, NodeClaim, NodePool, ResourceKind } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { Clock, Controller, EventRecorder, InformerFactory, KubeClient, Logger, Random } from '@kerf/runtime'
import type { ProviderEventReason } from './declared-events.ts'
import type { AccountCommitment, PriceSources, SubnetAddresses } from './optional-ports.ts'

/** A provider's description of one instance. Contains the resolved labels, annotations and status fields for the NodeClaim. */
export interface InstanceView {
  readonly providerID: string
  readonly nodeClaimName?: string
  readonly nodeClaimUid?: string
  readonly nodePool?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly imageID?: string
  readonly capacity: Readonly<Record<string, string>>
  readonly allocatable: Readonly<Record<string, string>>
  readonly createdAt?: string
  /** Set while the instance is terminating. */
  readonly deletionTimestamp?: string
}

/**
 * The properties of an instance that is being launched and has no provider ID yet. Kerf plans pods for it, so the provider must deliver an
 * instance with these properties, even after a restart. If it cannot, it throws InsufficientCapacityError.
 */
export type ComingInstance = Pick<InstanceView, 'labels' | 'capacity' | 'allocatable'>

export interface RepairPolicy {
  readonly conditionType: string
  readonly conditionStatus: 'True' | 'False' | 'Unknown'
  readonly toleration: Milliseconds
}

/** The result of a hook. A ready hook may add labels and annotations to the NodeClaim. Kerf copies them to the Node. */
export type HookResult =
  | {
      readonly ready: true
      readonly labels?: Readonly<Record<string, string>>
      readonly annotations?: Readonly<Record<string, string>>
    }
  | { readonly ready: false; readonly retryAfter: Milliseconds }

/** A hook in the lifecycle of a node. A NodeClaim becomes Registered only after every hook has returned `ready`. */
export interface NodeLifecycleHook {
  readonly name: string
  registered(claim: NodeClaim, signal: AbortSignal): Promise<HookResult>
}

/**
 * The interface between the controllers and a cloud (`docs/spec/provider-contract.md#interface`). Providers never modify the NodeClaims
 * that they receive, and they return plain data. They throw the error types in `errors.ts`, which determine what happens to the claim.
 */
export interface CloudProvider {
  /** A stable name, also used as the metric label `provider`. */
  readonly name: string
  /** The node class kinds that the provider serves. The first one is the default. */
  readonly nodeClasses: readonly ResourceKind[]
  /** The meaning of labels for this provider, including the aliases that volume drivers use for labels. */
  readonly vocabulary: LabelVocabulary
  /** The label that contains the reservation id of a reserved offering. If absent, plans use no reserved capacity. */
  readonly reservationIdLabel?: string
  readonly repairPolicies: readonly RepairPolicy[]
  /**
   * The maximum duration of a launch. Set this if a launch can take longer than one call of `create`, which then throws LaunchPendingError.
   * The registration timeout then starts at the launch instead of at the creation of the NodeClaim, and `delete` is also called for claims
   * without a provider ID. If absent, a launch may take five minutes.
   */
  readonly launchTimeout?: Milliseconds
  readonly hooks?: readonly NodeLifecycleHook[]
  /**
   * Launches one instance that satisfies the NodeClaim's requirements and requests. A repeated call for the same claim UID, even after a
   * restart, must return the first instance. Throws LaunchPendingError while the instance has no provider ID.
   */
  create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView>
  /**
   * Starts the termination of the instance. Throws NodeClaimNotFoundError if the instance is certainly gone, and DeleteError while the
   * cloud refuses the termination until a user acts. If the provider has a `launchTimeout`, Kerf calls this for every claim, even without a
   * provider ID: it then releases everything that the provider holds for the claim, and throws NodeClaimNotFoundError if there is nothing
   * to release.
   */
  delete(claim: NodeClaim, signal: AbortSignal): Promise<void>
  /**
   * Returns the instance. Throws NodeClaimNotFoundError only if the instance is certainly gone. If that is uncertain (a failed call, a
   * missing ownership tag, or an instance that is too new for the cloud's lists), throws another error or returns the instance.
   */
  get(providerID: string, signal: AbortSignal): Promise<InstanceView>
  /**
   * Returns every instance that belongs to the Kerf of this cluster, including instances without a Node or NodeClaim. If one page fails,
   * the whole call fails.
   */
  list(signal: AbortSignal): Promise<readonly InstanceView[]>
  /**
   * Returns all instance types that the NodePool's node class can use. If a type cannot currently be launched, its offerings are
   * unavailable. A provider should return the same list object while nothing has changed, because Kerf otherwise compares the types by
   * value.
   */
  instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]>
  /** Returns why the NodeClaim has drifted, or undefined if it has not. Throws NotKnownYetError if this cannot be determined yet. */
  isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined>
  /** Returns the provider's own controllers (node class status, garbage collection, simulated kubelets, …). */
  controllers?(): readonly Controller[]
  /**
   * Returns the free addresses of the subnets in which the NodePool's node class can currently launch. Makes no call to the cloud, and
   * omits subnets that the provider has not read yet. If absent, the provider does not count addresses.
   */
  freeAddresses?(pool: NodePool, signal: AbortSignal): Promise<readonly SubnetAddresses[]>
  /** Returns the sources of the offerings' prices. If absent, prices are either declared by the user or unknown. */
  priceSources?(): PriceSources
  /**
   * Returns the account's prepaid capacity that is active now or will become active. Called only if a ClusterPolicy requests it. Throws
   * ProblemError with the remedy if a permission is missing. If absent, the provider cannot read commitments.
   */
  commitments?(signal: AbortSignal): Promise<readonly AccountCommitment[]>
}

/** The dependencies that a provider receives when it is created, in addition to its own settings. */
export interface ProviderContext {
  readonly client: KubeClient
  readonly informers: InformerFactory
  readonly clock: Clock
  readonly random: Random
  /** Publishes Events. The type allows only the reasons that the provider's descriptor declares and the reasons of conditions. */
  readonly events: EventRecorder<ProviderEventReason>
  readonly log: Logger
}
