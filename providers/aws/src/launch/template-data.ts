import type {
  LaunchTemplateBlockDeviceMappingRequest,
  LaunchTemplateInstanceNetworkInterfaceSpecificationRequest,
  RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2'
import { type CapacityType, capacityTypes, parseQuantity, toWhole } from '@kerf/apis'
import { ec2Tags } from '../api/aws-api.ts'
import { type AmiFamily, familyTraits } from '../node-class/ami-family.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'

type Spec = EC2NodeClass['spec']

/** The reservation that a launch uses. */
export interface LaunchReservation {
  readonly id: string
  readonly type: 'default' | 'capacity-block'
  readonly interruptible: boolean
}

/** The inputs of a launch template. */
export interface TemplateInputs {
  readonly spec: Spec
  readonly family: AmiFamily
  readonly imageId: string
  readonly instanceProfile: string
  readonly securityGroups: readonly string[]
  /** In base64. */
  readonly userData: string | undefined
  readonly tags: Readonly<Record<string, string>>
  readonly isIpv6: boolean
  readonly region: string
  readonly capacityType: CapacityType
  readonly tenancy: 'default' | 'dedicated'
  readonly placement?: { readonly groupId: string; readonly partition?: string }
  /** The number of Elastic Fabric Adapter interfaces that the NodeClaim requests. */
  readonly efaCount: number
  readonly enclave: boolean
  /** The feature gate ReservedCapacity. */
  readonly reservedCapacity: boolean
  readonly reservation?: LaunchReservation
}

const GIB = 1024 ** 3
/** Regions whose metadata service has no IPv6 setting. */
const WITHOUT_METADATA_IPV6 = /^us-iso[bf]?-(east|west|south)-1$/

type Mapping = NonNullable<Spec['blockDeviceMappings']>[number]

/** Returns the size in GiB, the unit of EC2, rounded up. */
const volumeGibibytes = (size: string | undefined): number | undefined =>
  size === undefined ? undefined : Math.ceil(toWhole(parseQuantity(size)) / GIB)

const given = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
/** Returns the field unless it is zero, because EC2 rejects zeros here. */
const positive = <K extends string>(key: K, value: number | undefined): { readonly [P in K]?: number } =>
  given(key, value === 0 ? undefined : value)

const volume = ({ deviceName, ebs }: Mapping): LaunchTemplateBlockDeviceMappingRequest => ({
  ...given('DeviceName', deviceName),
  ...(ebs === undefined
    ? {}
    : {
        Ebs: {
          ...given('DeleteOnTermination', ebs.deleteOnTermination),
          ...given('Encrypted', ebs.encrypted),
          ...positive('Iops', ebs.iops),
          ...given('KmsKeyId', ebs.kmsKeyID),
          ...given('SnapshotId', ebs.snapshotID),
          ...positive('Throughput', ebs.throughput),
          ...positive('VolumeInitializationRate', ebs.volumeInitializationRate),
          ...given('VolumeSize', volumeGibibytes(ebs.volumeSize)),
          ...given('VolumeType', ebs.volumeType),
        },
      }),
})

const volumes = ({ blockDeviceMappings }: Spec, family: AmiFamily): LaunchTemplateBlockDeviceMappingRequest[] =>
  blockDeviceMappings === undefined || blockDeviceMappings.length === 0
    ? familyTraits[family].defaultVolumes.map(({ deviceName, size }) =>
        volume({ deviceName, ebs: { encrypted: true, volumeSize: size, volumeType: 'gp3' } }),
      )
    : blockDeviceMappings.map(volume)

type Interface = LaunchTemplateInstanceNetworkInterfaceSpecificationRequest

/** Returns the fields that every interface with an IP address has. */
const addressed = ({ spec, securityGroups, isIpv6 }: TemplateInputs): Interface => ({
  Groups: [...securityGroups],
  ...given('AssociatePublicIpAddress', spec.associatePublicIPAddress),
  ...(spec.ipPrefixCount === undefined
    ? {}
    : isIpv6
      ? { Ipv6PrefixCount: spec.ipPrefixCount }
      : { Ipv4PrefixCount: spec.ipPrefixCount }),
  // On IPv6 clusters, each instance has a primary IPv6 address, which does not change.
  ...(isIpv6 ? { PrimaryIpv6: true, Ipv6AddressCount: 1 } : {}),
  ...(spec.connectionTracking === undefined
    ? {}
    : {
        ConnectionTrackingSpecification: {
          ...given('TcpEstablishedTimeout', spec.connectionTracking.tcpEstablishedTimeout),
          ...given('UdpStreamTimeout', spec.connectionTracking.udpStreamTimeout),
          ...given('UdpTimeout', spec.connectionTracking.udpTimeout),
        },
      }),
})

const networkInterfaces = (inputs: TemplateInputs): Interface[] => {
  const { spec, securityGroups, efaCount } = inputs
  if (spec.networkInterfaces !== undefined && spec.networkInterfaces.length > 0) {
    return spec.networkInterfaces.map(({ networkCardIndex, deviceIndex, interfaceType }) => ({
      NetworkCardIndex: networkCardIndex,
      DeviceIndex: deviceIndex,
      InterfaceType: interfaceType,
      ...(interfaceType === 'efa-only' ? { Groups: [...securityGroups] } : addressed(inputs)),
    }))
  }
  if (efaCount > 0) {
    return Array.from({ length: efaCount }, (_, card) => ({
      NetworkCardIndex: card,
      // Only the first interface of the instance may be device 0.
      DeviceIndex: card === 0 ? 0 : 1,
      InterfaceType: 'efa',
      ...addressed(inputs),
    }))
  }
  return [{ DeviceIndex: 0, ...addressed(inputs) }]
}

const metadataOptions = ({ spec, isIpv6, region }: TemplateInputs): RequestLaunchTemplateData['MetadataOptions'] => {
  const options = spec.metadataOptions ?? {
    httpEndpoint: 'disabled',
    httpProtocolIPv6: isIpv6 ? 'enabled' : 'disabled',
    httpPutResponseHopLimit: 2,
    httpTokens: 'required',
  }
  return {
    ...given('HttpEndpoint', options.httpEndpoint),
    ...given('HttpProtocolIpv6', WITHOUT_METADATA_IPV6.test(region) ? undefined : options.httpProtocolIPv6),
    ...given('HttpPutResponseHopLimit', options.httpPutResponseHopLimit),
    ...given('HttpTokens', options.httpTokens),
    // Tags may contain information that pods do not need.
    InstanceMetadataTags: 'disabled',
  }
}

/** Returns the reservation settings of the launch. With the feature gate off, EC2 may use open reservations. */
const reservationData = ({ reservedCapacity, reservation }: TemplateInputs): RequestLaunchTemplateData => {
  if (!reservedCapacity) return {}
  if (reservation === undefined) return { CapacityReservationSpecification: { CapacityReservationPreference: 'none' } }
  const market =
    reservation.type === 'capacity-block'
      ? 'capacity-block'
      : reservation.interruptible
        ? 'interruptible-capacity-reservation'
        : undefined
  return {
    CapacityReservationSpecification: {
      CapacityReservationPreference: 'capacity-reservations-only',
      CapacityReservationTarget: { CapacityReservationId: reservation.id },
    },
    ...(market === undefined ? {} : { InstanceMarketOptions: { MarketType: market } }),
  }
}

/** Returns the data of a launch template (`providers/aws/docs/spec/aws.md#launch-templates`). Equal inputs give equal data. */
export const templateData = (inputs: TemplateInputs): RequestLaunchTemplateData => {
  const { spec, family, placement, capacityType } = inputs
  const mappings = volumes(spec, family)
  const tags = ec2Tags(inputs.tags)
  const kinds = [
    'network-interface',
    ...(capacityType === capacityTypes.spot ? (['spot-instances-request'] as const) : []),
  ] as const
  const { nestedVirtualization } = spec.cpuOptions ?? {}
  return {
    ...(mappings.length === 0 ? {} : { BlockDeviceMappings: mappings }),
    ...(nestedVirtualization === undefined ? {} : { CpuOptions: { NestedVirtualization: nestedVirtualization } }),
    IamInstanceProfile: { Name: inputs.instanceProfile },
    Monitoring: { Enabled: spec.detailedMonitoring ?? false },
    ...given('UserData', inputs.userData),
    ImageId: inputs.imageId,
    MetadataOptions: metadataOptions(inputs),
    NetworkInterfaces: networkInterfaces(inputs),
    Placement: {
      Tenancy: inputs.tenancy,
      ...(placement === undefined ? {} : { GroupId: placement.groupId }),
      ...(placement?.partition === undefined ? {} : { PartitionNumber: Number(placement.partition) }),
    },
    ...(inputs.enclave ? { EnclaveOptions: { Enabled: true } } : {}),
    TagSpecifications: kinds.map((ResourceType) => ({ ResourceType, Tags: tags })),
    ...reservationData(inputs),
  }
}
