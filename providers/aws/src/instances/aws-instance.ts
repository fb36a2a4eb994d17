import type { Instance } from '@aws-sdk/client-ec2'
import { type CapacityType, capacityTypes, type Milliseconds } from '@kerf/apis'
import { tagMap } from '../api/aws-api.ts'

/** The fields of an EC2 instance that Kerf uses (`providers/aws/docs/spec/aws.md#instances`, instance facts). */
export interface AwsInstance {
  readonly id: string
  readonly type: string
  readonly zone: string
  readonly zoneId?: string
  readonly imageId: string
  readonly capacityType: CapacityType
  readonly isEnding: boolean
  /** Whether the instance is terminated. EC2 still lists a terminated instance for about an hour. */
  readonly isGone: boolean
  readonly tags: Readonly<Record<string, string>>
  readonly tenancy: 'default' | 'dedicated'
  /** The number of Elastic Fabric Adapter interfaces. */
  readonly efaCount: number
  readonly launchedAt?: Milliseconds
  readonly subnetId?: string
  readonly securityGroupIds: readonly string[]
  readonly reservation?: {
    readonly id: string
    readonly type: 'default' | 'capacity-block'
    readonly interruptible: boolean
  }
  readonly placement?: { readonly groupId: string; readonly partition?: string }
}

const ENDING: ReadonlySet<string | undefined> = new Set(['shutting-down', 'terminated'])
const isEfa = (type: string | undefined): boolean => type === 'efa' || type === 'efa-only'

const instanceReservation = (instance: Instance): AwsInstance['reservation'] => {
  const {
    CapacityReservationId: id = '',
    CapacityReservationSpecification: request,
    InstanceLifecycle: lifecycle,
  } = instance
  if (id === '' || request?.CapacityReservationPreference !== 'capacity-reservations-only') return undefined
  return {
    id,
    type: lifecycle === 'capacity-block' ? 'capacity-block' : 'default',
    interruptible: lifecycle === 'interruptible-capacity-reservation',
  }
}

/** Converts an instance of EC2. With the gate ReservedCapacity off, reserved instances count as on-demand. */
export const toAwsInstance = (instance: Instance, options: { readonly reservedCapacity: boolean }): AwsInstance => {
  const { Placement: place, NetworkInterfaces: interfaces = [], SecurityGroups: groups = [] } = instance
  const reservation = options.reservedCapacity ? instanceReservation(instance) : undefined
  // For a spot instance, EC2 returns the id of its spot request. An emulator may set only the lifecycle.
  const isSpot = (instance.SpotInstanceRequestId ?? '') !== '' || instance.InstanceLifecycle === 'spot'
  const partition = place?.PartitionNumber ?? 0
  return {
    id: instance.InstanceId ?? '',
    type: instance.InstanceType ?? '',
    zone: place?.AvailabilityZone ?? '',
    imageId: instance.ImageId ?? '',
    capacityType: isSpot
      ? capacityTypes.spot
      : reservation === undefined
        ? capacityTypes.onDemand
        : capacityTypes.reserved,
    isEnding: ENDING.has(instance.State?.Name),
    isGone: instance.State?.Name === 'terminated',
    tags: tagMap(instance.Tags),
    tenancy: place?.Tenancy === 'dedicated' ? 'dedicated' : 'default',
    efaCount: interfaces.filter(({ InterfaceType }) => isEfa(InterfaceType)).length,
    securityGroupIds: groups.flatMap(({ GroupId }) => GroupId ?? []),
    ...(instance.LaunchTime === undefined ? {} : { launchedAt: instance.LaunchTime.getTime() }),
    ...(place?.AvailabilityZoneId === undefined ? {} : { zoneId: place.AvailabilityZoneId }),
    ...(instance.SubnetId === undefined ? {} : { subnetId: instance.SubnetId }),
    ...(reservation === undefined ? {} : { reservation }),
    ...(place?.GroupId === undefined || place.GroupId === ''
      ? {}
      : { placement: { groupId: place.GroupId, ...(partition === 0 ? {} : { partition: `${partition}` }) } }),
  }
}
