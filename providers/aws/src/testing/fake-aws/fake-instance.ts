import type { Instance, InstanceLifecycleType, RequestLaunchTemplateData } from '@aws-sdk/client-ec2'

export interface FakeInstance {
  readonly data: Instance & { readonly InstanceId: string }
  /** What it was started with, in base64; nothing for one that was planted. */
  readonly userData?: string | undefined
  endsAt?: number
}

/** What an instance is started as. */
export interface FakeInstanceSpec {
  readonly type: string
  readonly zone: string
  readonly subnet: string
  readonly image: string
  readonly tags: Readonly<Record<string, string>>
  readonly template?: RequestLaunchTemplateData
  /** Absent for an instance on demand. */
  readonly lifecycle?: InstanceLifecycleType
  readonly reservation?: string
}

/** An instance as EC2 describes it. */
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
      // API model, `Instance.InstanceLifecycle`: a spot, scheduled, capacity block or interruptible one; otherwise absent.
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
