import type { NodeSelectorOperator, UsdPerHour } from '@kerf/apis'
import type { DynamicResources } from '@kerf/engine'

/** One offering as upstream's instance-type file spells it. */
export interface OfferingEntry {
  /** Absent where nobody knows it. Upstream's files have one for each offering. */
  readonly Price?: UsdPerHour
  /** Read for the format's sake: the provider offers everything that the file lists. */
  readonly Available: boolean
  readonly Requirements: readonly RequirementEntry[]
  readonly ReservationCapacity?: number
}

export interface RequirementEntry {
  readonly key: string
  readonly operator: NodeSelectorOperator
  readonly values?: readonly string[]
}

/** One instance type as upstream's file spells it (`docs/spec/kwok.md#catalogue`). */
export interface InstanceTypeEntry {
  readonly name: string
  readonly offerings: readonly OfferingEntry[]
  readonly architecture: string
  readonly operatingSystems: readonly string[]
  /** Quantities by resource name. */
  readonly resources: Readonly<Record<string, string>>
  /** Devices for dynamic resource allocation; upstream's files have none. */
  readonly dynamicResources?: DynamicResources
}
