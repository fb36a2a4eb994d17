import type { Instance, InstanceLifecycleType, RequestLaunchTemplateData } from '@aws-sdk/client-ec2'

export interface FakeInstance {
  readonly data: Instance & { readonly InstanceId: string }
  /** The user data in base64. Undefined for an instance that a test added. */
  readonly userData?: string | undefined
  endsAt?: number
}

/** The properties of a launched instance. */
export interface FakeInstanceSpec {
  readonly type: string
  readonly zone: string
  readonly subnet: string
  readonly image: string
  readonly tags: Readonly<Record<string, string>>
  readonly template?: RequestLaunchTemplateData
  /** Absent for an on-demand instance. */
  readonly lifecycle?: InstanceLifecycleType
  readonly reservation?: string
}

/** Returns an instance in the form of EC2's descriptions. */
export const fakeInstance = (id: string, machine: FakeInstanceSpec, launchTime: Date): FakeInstance => {
  const { template, reservation } = machine
  return {
    userData: template?.UserData,
    data: {
      InstanceId: id,
      InstanceType: machine.type as 'm5.large',
      ImageId: machine.image,
      SubnetId: machine.subnet,
      Placement: {
        AvailabilityZone: machine.zone,
        AvailabilityZoneId: `use1-az${'abcdef'.indexOf(machine.zone.slice(-1)) + 1}`,
        ...(template?.Placement?.Tenancy === undefined ? {} : { Tenancy: template.Placement.Tenancy }),
        ...(template?.Placement?.GroupId === undefined ? {} : { GroupId: template.Placement.GroupId }),
        ...(template?.Placement?.PartitionNumber === undefined
          ? {}
          : { PartitionNumber: template.Placement.PartitionNumber }),
      },
      LaunchTime: launchTime,
      Tags: Object.entries(machine.tags).map(([Key, Value]) => ({ Key, Value })),
      SecurityGroups: (template?.NetworkInterfaces?.[0]?.Groups ?? ['sg-1']).map((GroupId) => ({ GroupId })),
      NetworkInterfaces: (template?.NetworkInterfaces ?? []).map(({ InterfaceType = 'interface' }) => ({
        InterfaceType,
      })),
      // API model, `Instance.InstanceLifecycle`: spot, scheduled, capacity block or interruptible; absent for on-demand.
      ...(machine.lifecycle === undefined ? {} : { InstanceLifecycle: machine.lifecycle }),
      ...(machine.lifecycle === 'spot' ? { SpotInstanceRequestId: 'sir-1' } : {}),
      ...(reservation === undefined
        ? {}
        : {
            CapacityReservationId: reservation,
            CapacityReservationSpecification: {
              CapacityReservationPreference: 'capacity-reservations-only' as const,
            },
          }),
    },
  }
}
