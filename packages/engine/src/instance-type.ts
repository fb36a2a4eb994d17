import type { CounterSet, Device, NodeSelectorRequirement, Quantity, UsdPerHour } from '@kerf/apis'

/** Exact quantities by resource name. */
export type Resources = Readonly<Record<string, Quantity>>

/** A requirement as plain data: an operator of node selectors with its values, and an optional `minValues`. */
export interface RequirementSpec extends NodeSelectorRequirement {
  readonly minValues?: number
}

/**
 * One way to buy an instance type. Its requirements on capacity type and zone each have exactly one value. An offering without a
 * zone has `DoesNotExist` for the zone. Reserved offerings also have their reservation labels
 * (`docs/spec/provider-contract.md#data-model`).
 */
export interface Offering {
  readonly requirements: readonly RequirementSpec[]
  /** Finite and not negative; undefined if the price is unknown (`docs/decisions/0007-unknown-prices.md`). */
  readonly price: UsdPerHour | undefined
  readonly available: boolean
  /** The number of instances left in the reservation. Only set for reserved offerings. */
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

/** Devices that a driver will publish for a machine when it runs, in the format of ResourceSlices. */
export interface ResourceSliceTemplate {
  readonly driver: string
  readonly pool: { readonly name: string }
  readonly devices?: readonly Device[]
  readonly sharedCounters?: readonly CounterSet[]
}

/** Devices of one node that will have the same value of an attribute. The value itself is known only when the node runs. */
export interface AttributeBinding {
  /** The attribute with its domain, for example `resource.kubernetes.io/pcieRoot`. */
  readonly attribute: string
  readonly devices: readonly { readonly driver: string; readonly pool: string; readonly device: string }[]
}

export interface DynamicResources {
  readonly resourceSliceTemplates: readonly ResourceSliceTemplate[]
  readonly attributeBindings?: readonly AttributeBinding[]
}

/**
 * An instance type as a provider offers it to a NodePool. `requirements` has an entry for every well-known label; it is `DoesNotExist` if
 * the label does not apply. The object must not be changed after the provider has returned it, because the engine caches by object
 * identity.
 */
export interface InstanceType {
  readonly name: string
  readonly requirements: readonly RequirementSpec[]
  readonly offerings: readonly Offering[]
  readonly capacity: Resources
  readonly overhead: InstanceTypeOverhead
  readonly dynamicResources?: DynamicResources
  readonly capacityOverlayApplied?: boolean
  /**
   * The number of units that one instance uses of a reservation that covers all sizes of its family. Absent if the cloud has no such
   * reservations for this type (`docs/spec/policies.md#prepaid-capacity`).
   */
  readonly normalizedUnits?: number
}
