import type { CounterSet, Device, NodeSelectorRequirement, Quantity, UsdPerHour } from '@kerf/apis'

/** Exact amounts by resource name. */
export type Resources = Readonly<Record<string, Quantity>>

/** A requirement as plain data: the operators of node selectors and an optional `minValues`. */
export interface RequirementSpec extends NodeSelectorRequirement {
  readonly minValues?: number
}

/**
 * One way to buy an instance type. Carries capacity type and zone, each with exactly one value, or says that there is no
 * zone; reserved offerings carry
 * their reservation labels too (`docs/spec/provider-contract.md#data-model`).
 */
export interface Offering {
  readonly requirements: readonly RequirementSpec[]
  /** Finite and not negative; undefined where nobody knows it (`docs/decisions/0007-unknown-prices.md`). */
  readonly price: UsdPerHour | undefined
  readonly available: boolean
  /** Instances left in the reservation; only for reserved offerings. */
  readonly reservationCapacity?: number
  readonly capacityOverride?: Resources
  readonly overheadOverride?: InstanceTypeOverhead
  readonly priceOverlayApplied?: boolean
}

export interface InstanceTypeOverhead {
  readonly kubeReserved?: Resources
  readonly systemReserved?: Resources
  readonly evictionThreshold?: Resources
}

/** Devices that a driver will publish for a machine once it runs, as its ResourceSlices will have them. */
export interface ResourceSliceTemplate {
  readonly driver: string
  readonly pool: { readonly name: string }
  readonly devices?: readonly Device[]
  readonly sharedCounters?: readonly CounterSet[]
}

/** Devices of one machine that will have the same value of an attribute, whatever it is: known only once it runs. */
export interface AttributeBinding {
  /** With its domain: `resource.kubernetes.io/pcieRoot`. */
  readonly attribute: string
  readonly devices: readonly { readonly driver: string; readonly pool: string; readonly device: string }[]
}

export interface DynamicResources {
  readonly resourceSliceTemplates: readonly ResourceSliceTemplate[]
  readonly attributeBindings?: readonly AttributeBinding[]
}

/**
 * A machine type as a provider offers it to one NodePool. `requirements` has an entry for every well-known label, with
 * `DoesNotExist` where it does not apply. Never mutated after it was handed out: the engine caches by identity.
 */
export interface InstanceType {
  readonly name: string
  readonly requirements: readonly RequirementSpec[]
  readonly offerings: readonly Offering[]
  readonly capacity: Resources
  readonly overhead: InstanceTypeOverhead
  readonly dynamicResources?: DynamicResources
  readonly capacityOverlayApplied?: boolean
}
