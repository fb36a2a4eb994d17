import type { LabelVocabulary, Milliseconds, NodeClaim, NodePool, ResourceKind } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { Clock, Controller, EventRecorder, InformerFactory, KubeClient, Logger, Random } from '@kerf/runtime'
import type { ProviderEventReason } from './declared-events.ts'
import type { AccountCommitment, PriceSources, SubnetAddresses } from './optional-ports.ts'

/** A provider's description of one instance: the resolved labels, annotations and status fields of a NodeClaim. */
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
  /** The field is set while the instance is terminating. */
  readonly deletionTimestamp?: string
}

/**
 * The properties of an instance that is being launched and has no provider ID yet. Kerf plans pods for it, so the provider commits to these
 * properties, even across restarts. If it cannot keep the commitment, it throws InsufficientCapacityError.
 */
export type ComingInstance = Pick<InstanceView, 'labels' | 'capacity' | 'allocatable'>

export interface RepairPolicy {
  readonly conditionType: string
  readonly conditionStatus: 'True' | 'False' | 'Unknown'
  readonly toleration: Milliseconds
}

/** The result of a hook. A hook that is ready may add labels and annotations to the NodeClaim. Kerf copies them to the Node. */
export type HookResult =
  | {
      readonly ready: true
      readonly labels?: Readonly<Record<string, string>>
      readonly annotations?: Readonly<Record<string, string>>
    }
  | { readonly ready: false; readonly retryAfter: Milliseconds }

/** Every hook must return `ready` before a NodeClaim becomes Registered. */
export interface NodeLifecycleHook {
  readonly name: string
  registered(claim: NodeClaim, signal: AbortSignal): Promise<HookResult>
}

/**
 * The interface between the controllers and a cloud (`docs/spec/provider-contract.md#interface`). Providers never change the NodeClaims
 * that they receive, and they return plain data. Their errors have the types in `errors.ts`, which decide what happens to the claim.
 */
export interface CloudProvider {
  /** A stable name, also used as the metric label `provider`. */
  readonly name: string
  /** The node class kinds that the provider serves. The first one is the default. */
  readonly nodeClasses: readonly ResourceKind[]
  /** The meaning of labels with this provider, including aliases that volume drivers use for them. */
  readonly vocabulary: LabelVocabulary
  /** The label that contains the reservation id of a reserved offering. If absent, plans use no reserved capacity. */
  readonly reservationIdLabel?: string
  readonly repairPolicies: readonly RepairPolicy[]
  /**
   * The maximum duration of a launch. Set if a launch can take longer than one call of `create`, which throws LaunchPendingError in that
   * case. The registration timeout then begins at the launch instead of the creation of the NodeClaim, and `delete` is also called for
   * claims without a provider ID. If absent, a launch may take five minutes.
   */
  readonly launchTimeout?: Milliseconds
  readonly hooks?: readonly NodeLifecycleHook[]
  /**
   * Launches one instance that satisfies the NodeClaim's requirements and requests. If Kerf calls it again for the same claim UID, even
   * after a restart, it returns the earlier instance. Throws LaunchPendingError while the instance has no provider ID.
   */
  create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView>
  /**
   * Begins to terminate the instance. Throws NodeClaimNotFoundError once the instance is certainly gone, and DeleteError while the cloud
   * refuses the termination until a user acts. If the provider has a `launchTimeout`, this is called for every claim, with or without a
   * provider ID: it releases everything that the provider holds for the claim, and throws NodeClaimNotFoundError if there is nothing.
   */
  delete(claim: NodeClaim, signal: AbortSignal): Promise<void>
  /**
   * Returns the instance. Throws NodeClaimNotFoundError if the instance is certainly gone. If that is uncertain (a failed call, a missing
   * ownership tag, or an instance so new that the cloud may not list it yet), it throws another error or returns the instance.
   */
  get(providerID: string, signal: AbortSignal): Promise<InstanceView>
  /**
   * Returns every instance that this cluster's Kerf owns, including instances without a Node or NodeClaim. If one page fails, the whole
   * call fails.
   */
  list(signal: AbortSignal): Promise<readonly InstanceView[]>
  /**
   * Returns all instance types that the NodePool's node class can use. Types that cannot be launched now have unavailable offerings. To
   * avoid repeated work, return the same list while nothing has changed. Otherwise types are compared by value.
   */
  instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]>
  /** Returns why the NodeClaim has drifted, or undefined if it has not. Throws NotKnownYetError while this is unknown. */
  isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined>
  /** Returns the provider's own controllers (node class status, garbage collection, simulated kubelets, …). */
  controllers?(): readonly Controller[]
  /**
   * Returns the free addresses of the subnets in which the NodePool's node class can launch now, without a call to the cloud. Omits subnets
   * that the provider has not read yet. If absent, the provider does not count addresses.
   */
  freeAddresses?(pool: NodePool, signal: AbortSignal): Promise<readonly SubnetAddresses[]>
  /** Returns where the prices of the offerings come from. If absent, prices are declared by the user or unknown. */
  priceSources?(): PriceSources
  /**
   * Returns the prepaid capacity of the account that is active now or later. Called only if a ClusterPolicy asks for it. Throws ProblemError
   * with the remedy if a permission is missing. If absent, the provider cannot read commitments.
   */
  commitments?(signal: AbortSignal): Promise<readonly AccountCommitment[]>
}

/** The deps with which a provider is created, in addition to its own settings. */
export interface ProviderContext {
  readonly client: KubeClient
  readonly informers: InformerFactory
  readonly clock: Clock
  readonly random: Random
  /** Publishes Events. Only reasons that the provider's descriptor declares, and those of conditions, are possible. */
  readonly events: EventRecorder<ProviderEventReason>
  readonly log: Logger
}
