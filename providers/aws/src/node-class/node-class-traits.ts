import type { EC2NodeClass, EC2NodeClassSpec } from '@kerf/apis'
import { type AmiFamily, amiFamilyOf } from './ami-family.ts'
import { type KubeletFields, kubeletFieldsOf } from './kubelet-fields.ts'

/** A placement group as it was found. */
export interface PlacementGroup {
  readonly id: string
  readonly strategy: 'cluster' | 'partition' | 'spread'
  /** How many partitions it has; only with that strategy. */
  readonly partitions?: number
}

export type CapacityReservation = NonNullable<NonNullable<EC2NodeClass['status']>['capacityReservations']>[number]

/** What instance types look like depends on their node class: this much of it. */
export interface NodeClassTraits {
  readonly family: AmiFamily
  readonly kubelet: KubeletFields
  readonly volumes: NonNullable<EC2NodeClassSpec['blockDeviceMappings']>
  readonly networkInterfaces: NonNullable<EC2NodeClassSpec['networkInterfaces']>
  readonly raid0: boolean
  readonly tracksConnections: boolean
  readonly nestedVirtualization: boolean
  readonly placementGroup: PlacementGroup | undefined
  /** Zones that the class has subnets in, with their ids where known. */
  readonly zones: ReadonlyMap<string, string | undefined>
  readonly reservations: readonly CapacityReservation[]
}

/**
 * The traits of a node class as it was resolved.
 *
 * @throws KubeletFieldError for kubelet settings of a wrong type.
 */
export const nodeClassTraits = (
  { spec, status }: Pick<EC2NodeClass, 'spec' | 'status'>,
  placementGroup?: PlacementGroup,
): NodeClassTraits => ({
  family: amiFamilyOf(spec),
  kubelet: kubeletFieldsOf(spec.kubelet),
  volumes: spec.blockDeviceMappings ?? [],
  networkInterfaces: spec.networkInterfaces ?? [],
  raid0: spec.instanceStorePolicy === 'RAID0',
  tracksConnections: spec.connectionTracking !== undefined,
  nestedVirtualization: spec.cpuOptions?.nestedVirtualization === 'enabled',
  placementGroup,
  zones: new Map((status?.subnets ?? []).map(({ zone, zoneID }) => [zone, zoneID])),
  reservations: status?.capacityReservations ?? [],
})
