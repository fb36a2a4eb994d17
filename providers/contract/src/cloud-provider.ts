import type { LabelVocabulary, Milliseconds, NodeClaim, NodePool, ResourceKind } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { Clock, Controller, EventRecorder, InformerFactory, KubeClient, Logger, Random } from '@kerf/runtime'
import type { ProviderEventReason } from './declared-events.ts'

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
  /** Set while the instance is terminating. */
  readonly deletionTimestamp?: string
}

/**
 * The properties of a future instance that has no provider ID yet. The provider commits to them, even across restarts, because
 * pods are planned for it. A provider that cannot keep the commitment throws InsufficientCapacityError.
 */
export type ComingInstance = Pick<InstanceView, 'labels' | 'capacity' | 'allocatable'>

export interface RepairPolicy {
  readonly conditionType: string
  readonly conditionStatus: 'True' | 'False' | 'Unknown'
  readonly toleration: Milliseconds
}

/** The result of a hook. A ready hook may add labels and annotations to the claim, which are copied to the Node. */
export type HookResult =
  | {
      readonly ready: true
      readonly labels?: Readonly<Record<string, string>>
      readonly annotations?: Readonly<Record<string, string>>
    }
  | { readonly ready: false; readonly retryAfter: Milliseconds }

/** Every hook must return `ready` before a claim becomes Registered. */
export interface NodeLifecycleHook {
  readonly name: string
  registered(claim: NodeClaim, signal: AbortSignal): Promise<HookResult>
}

/**
 * The controllers' interface to a cloud (`docs/spec/provider-contract.md#interface`). Claims that are passed in are never
 * mutated; results are plain data; errors have the types of `errors.ts`, which decide what happens to the claim.
 */
export interface CloudProvider {
  /** A stable name, also used as the metric label `provider`. */
  readonly name: string
  /** The node class kinds that it serves. The first one is the default. */
  readonly nodeClasses: readonly ResourceKind[]
  /** The meaning of labels with this provider, including aliases that volume drivers use. */
  readonly vocabulary: LabelVocabulary
  /** The label with the reservation id of a reserved offering. If absent, reserved capacity is not used in plans. */
  readonly reservationIdLabel?: string
  readonly repairPolicies: readonly RepairPolicy[]
  /**
   * Set if a launch may take longer than one call of `create`, which then throws LaunchPendingError. It is the maximum duration
   * of a launch. The registration timeout then begins at the launch, and `delete` is also called for claims without a provider
   * ID. If absent, a launch may take five minutes.
   */
  readonly launchTimeout?: Milliseconds
  readonly hooks?: readonly NodeLifecycleHook[]
  /**
   * Launches one instance that satisfies the claim's requirements and requests. A repeated call for the same claim UID returns
   * the earlier instance, even after a restart. Throws LaunchPendingError while the instance has no provider ID.
   */
  create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView>
  /**
   * Begins to terminate the instance. Throws NodeClaimNotFoundError once the instance is certainly gone, and DeleteError while
   * the cloud refuses the termination and a user must act. If the provider has a `launchTimeout`, this is called for every claim,
   * with or without provider ID: the provider releases what it holds for the claim, and throws NodeClaimNotFoundError if there is
   * nothing.
   */
  delete(claim: NodeClaim, signal: AbortSignal): Promise<void>
  /**
   * Throws NodeClaimNotFoundError if the instance is certainly gone. If that is uncertain (a failed call, a missing ownership
   * tag, an instance so new that the cloud may not list it yet), it throws another error or returns the instance.
   */
  get(providerID: string, signal: AbortSignal): Promise<InstanceView>
  /** Lists every instance that this cluster's Kerf owns, even without a Node or NodeClaim. A failed page fails the call. */
  list(signal: AbortSignal): Promise<readonly InstanceView[]>
  /**
   * Returns all types that the pool's class can use; unavailable ones have unavailable offerings. Returning the same list while
   * nothing changes avoids repeated work; types are compared by value.
   */
  instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]>
  /** Returns the drift reason, or undefined. Throws NotKnownYetError while it is unknown. */
  isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined>
  /** Returns the provider's own controllers (node class status, garbage collection, simulated kubelets, …). */
  controllers?(): readonly Controller[]
}

/** What a provider is created from, in addition to its own settings. */
export interface ProviderContext {
  readonly client: KubeClient
  readonly informers: InformerFactory
  readonly clock: Clock
  readonly random: Random
  /** Publishes only Events that the provider's descriptor declares, and those of conditions. */
  readonly events: EventRecorder<ProviderEventReason>
  readonly log: Logger
}
