import type { NodeSelectorOperator, UsdPerHour } from '@kerf/apis'
import type { DynamicResources } from '@kerf/engine'

/** An offering in the format of upstream's instance-type file. */
export interface OfferingEntry {
  /** Absent if the price is unknown. In upstream's files, every offering has a price. */
  readonly Price?: UsdPerHour
  /** The provider ignores this field and offers all offerings in the file. */
  readonly Available: boolean
  readonly Requirements: readonly RequirementEntry[]
  readonly ReservationCapacity?: number
}

export interface RequirementEntry {
  readonly key: string
  readonly operator: NodeSelectorOperator
  readonly values?: readonly string[]
}

/** An instance type in the format of upstream's file (`providers/kwok/docs/spec/kwok.md#catalogue`). */
export interface InstanceTypeEntry {
  readonly name: string
  readonly offerings: readonly OfferingEntry[]
  readonly architecture: string
  readonly operatingSystems: readonly string[]
  /** Quantities by resource name. */
  readonly resources: Readonly<Record<string, string>>
  /** Devices for dynamic resource allocation. Upstream's files have none. */
  readonly dynamicResources?: DynamicResources
}
