import type { LabelVocabulary, Milliseconds, NodeClaim, NodePool, ResourceKind } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { Clock, Controller, EventRecorder, InformerFactory, KubeClient, Logger, Random } from '@kerf/runtime'

/** What a provider says of one instance: a NodeClaim's resolved labels, annotations and status fields. */
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
  /** Set while the instance is going away. */
  readonly deletionTimestamp?: string
}

/**
 * What an instance will be that cannot be named yet. The provider has committed itself and keeps to it over restarts: pods are
 * planned for it. A provider that cannot keep the promise throws InsufficientCapacityError.
 */
export type ComingInstance = Pick<InstanceView, 'labels' | 'capacity' | 'allocatable'>

export interface RepairPolicy {
  readonly conditionType: string
  readonly conditionStatus: 'True' | 'False' | 'Unknown'
  readonly toleration: Milliseconds
}

/** A hook's answer. A ready hook may add labels and annotations to the claim, from where they come to the Node. */
export type HookResult =
  | {
      readonly ready: true
      readonly labels?: Readonly<Record<string, string>>
      readonly annotations?: Readonly<Record<string, string>>
    }
  | { readonly ready: false; readonly retryAfter: Milliseconds }

/** Every hook must answer `ready` before a claim may become Registered. */
export interface NodeLifecycleHook {
  readonly name: string
  registered(claim: NodeClaim, signal: AbortSignal): Promise<HookResult>
}

/**
 * A cloud, as the controllers see it (`docs/spec/provider-contract.md#interface`). Claims handed in are never mutated;
 * results are plain data; errors are the typed ones of `errors.ts`, and their class decides what happens to the claim.
 */
export interface CloudProvider {
  /** Stable; the metric label `provider`. */
  readonly name: string
  /** The NodeClass kinds it serves; the first is the default. */
  readonly nodeClasses: readonly ResourceKind[]
  /** What labels mean with it, the other names that drivers of volumes have for them included. */
  readonly vocabulary: LabelVocabulary
  /** The label that names the reservation of a reserved offering. Without it reserved capacity is not planned with. */
  readonly reservationIdLabel?: string
  readonly repairPolicies: readonly RepairPolicy[]
  /**
   * Set where a launch may take longer than a call of `create`, which then throws LaunchPendingError: how long it may take in
   * all. The time to register counts from the launch then, and `delete` is also called for claims without a provider ID.
   * Without it a launch may take five minutes.
   */
  readonly launchTimeout?: Milliseconds
  readonly hooks?: readonly NodeLifecycleHook[]
  /**
   * Starts one instance that satisfies the claim's requirements and requests. Repeating it for the same claim UID finds
   * the earlier instance, also after a restart. Throws LaunchPendingError while the instance cannot be named yet.
   */
  create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView>
  /**
   * Starts to terminate the instance. Throws NodeClaimNotFoundError once the instance is certainly gone, and DeleteError while
   * the cloud refuses to terminate it and a person has to act. A provider with a `launchTimeout` is asked for every claim, with
   * or without provider ID: it gives back what it holds for the claim, and throws NodeClaimNotFoundError when that is nothing.
   */
  delete(claim: NodeClaim, signal: AbortSignal): Promise<void>
  /**
   * Throws NodeClaimNotFoundError when the instance is certainly gone. When that is not certain (a failed call, a missing
   * ownership tag, an instance so young that the cloud may not list it yet), it throws another error or returns the instance.
   */
  get(providerID: string, signal: AbortSignal): Promise<InstanceView>
  /** Every instance this cluster's Kerf owns, whether or not a Node or NodeClaim is left; a failing page fails the call. */
  list(signal: AbortSignal): Promise<readonly InstanceView[]>
  /**
   * All types the pool's class can use; availability is expressed by offerings only. The same list while nothing changes saves
   * reading it again; types are compared by what they say.
   */
  instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]>
  /** The drift reason, or nothing; throws NotKnownYetError while it is not known. */
  isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined>
  /** The provider's own controllers (node class status, garbage collection, simulated kubelets, …). */
  controllers?(): readonly Controller[]
}

/** What a provider is built from. Its own settings come besides. */
export interface ProviderContext {
  readonly client: KubeClient
  readonly informers: InformerFactory
  readonly clock: Clock
  readonly random: Random
  readonly events: EventRecorder
  readonly log: Logger
}
