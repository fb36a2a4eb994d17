import type { Milliseconds, ResourceList, Taint, UsdPerHour } from '@kerf/apis'

/** An offering that a user can buy: an instance type in a zone with a capacity type. */
export interface OfferingName {
  readonly instanceType: string
  readonly zone: string
  /** `spot`, `on-demand` or `reserved`. */
  readonly capacityType: string
}

export interface CloudOffering extends OfferingName {
  readonly price: UsdPerHour
  /** The maximum number of running instances. Unlimited if absent. */
  readonly capacity?: number
}

/** Selects the offerings that match every given property. */
export type OfferingSelector = Partial<OfferingName>

export const offeringKey = (name: OfferingName): string => `${name.instanceType}/${name.zone}/${name.capacityType}`

export const offeringMatches = (selector: OfferingSelector, name: OfferingName): boolean =>
  (selector.instanceType ?? name.instanceType) === name.instanceType &&
  (selector.zone ?? name.zone) === name.zone &&
  (selector.capacityType ?? name.capacityType) === name.capacityType

/** The Node that the instance's kubelet will register. */
export interface NodeTemplate {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly taints?: readonly Taint[]
  readonly capacity: ResourceList
  readonly allocatable: ResourceList
}

export type InstanceState = 'pending' | 'running' | 'terminating' | 'terminated'

export interface CloudInstance extends OfferingName {
  readonly id: string
  readonly providerID: string
  readonly state: InstanceState
  /** The caller's idempotency token. */
  readonly token: string
  readonly tags: Readonly<Record<string, string>>
  readonly node: NodeTemplate
  readonly launchedAt: Milliseconds
  readonly runningAt?: Milliseconds
  readonly terminatedAt?: Milliseconds
  /** The time at which the cloud will reclaim the spot instance. Set when the cloud gives the interruption notice. */
  readonly reclaimedAt?: Milliseconds
}

/** The events that a listener receives, in order. */
export type CloudEvent =
  | { readonly kind: 'launched' | 'running' | 'terminating' | 'terminated'; readonly instance: CloudInstance }
  | { readonly kind: 'interruption'; readonly instance: CloudInstance; readonly at: Milliseconds }
  | { readonly kind: 'price'; readonly offering: OfferingName; readonly price: UsdPerHour }
  | { readonly kind: 'capacity'; readonly offering: OfferingName; readonly available: boolean }

export type CloudErrorCode =
  | 'InsufficientCapacity'
  | 'InstanceNotFound'
  | 'InvalidRequest'
  | 'TokenMismatch'
  | 'Throttled'
  | 'Timeout'
  | 'Internal'

/** An error that the cloud returns. `offerings` names the requested offerings that had no capacity. */
export class CloudError extends Error {
  override readonly name = 'CloudError'
  readonly code: CloudErrorCode
  readonly offerings: readonly OfferingName[]

  constructor(code: CloudErrorCode, message: string, offerings: readonly OfferingName[] = []) {
    super(message)
    this.code = code
    this.offerings = offerings
  }
}
