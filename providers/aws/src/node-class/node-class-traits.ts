import { type AmiFamily, nodeClassAmiFamily } from './ami-family.ts'
import type { EC2NodeClass, EC2NodeClassSpec } from './ec2-node-class.ts'
import { type KubeletFields, setKubeletFields } from './kubelet-fields.ts'

/** A placement group in the account. */
export interface PlacementGroup {
  readonly id: string
  readonly strategy: 'cluster' | 'partition' | 'spread'
  /** The number of partitions, for the strategy `partition` only. */
  readonly partitions?: number
}

export type CapacityReservation = NonNullable<NonNullable<EC2NodeClass['status']>['capacityReservations']>[number]

/** The properties of a node class that its instance types depend on. */
export interface NodeClassTraits {
  readonly family: AmiFamily
  readonly kubelet: KubeletFields
  readonly volumes: NonNullable<EC2NodeClassSpec['blockDeviceMappings']>
  readonly networkInterfaces: NonNullable<EC2NodeClassSpec['networkInterfaces']>
  readonly raid0: boolean
  readonly tracksConnections: boolean
  readonly nestedVirtualization: boolean
  readonly placementGroup: PlacementGroup | undefined
  /** The zones of the node class's subnets, with their ids if known. */
  readonly zones: ReadonlyMap<string, string | undefined>
  readonly reservations: readonly CapacityReservation[]
}

/**
 * Returns the traits of a resolved node class.
 *
 * @throws KubeletFieldError for kubelet settings of a wrong type.
 */
export const nodeClassTraits = (
  { spec, status }: Pick<EC2NodeClass, 'spec' | 'status'>,
  placementGroup?: PlacementGroup,
): NodeClassTraits => ({
  family: nodeClassAmiFamily(spec),
  kubelet: setKubeletFields(spec.kubelet),
  volumes: spec.blockDeviceMappings ?? [],
  networkInterfaces: spec.networkInterfaces ?? [],
  raid0: spec.instanceStorePolicy === 'RAID0',
  tracksConnections: spec.connectionTracking !== undefined,
  nestedVirtualization: spec.cpuOptions?.nestedVirtualization === 'enabled',
  placementGroup,
  zones: new Map((status?.subnets ?? []).map(({ zone, zoneID }) => [zone, zoneID])),
  reservations: status?.capacityReservations ?? [],
})
