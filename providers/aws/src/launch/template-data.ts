import type {
  LaunchTemplateBlockDeviceMappingRequest,
  LaunchTemplateInstanceNetworkInterfaceSpecificationRequest,
  RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2'
import { type CapacityType, capacityTypes, type EC2NodeClass, parseQuantity, toWhole } from '@kerf/apis'
import { ec2Tags } from '../api/aws-api.ts'
import { type AmiFamily, familyTraits } from '../node-class/ami-family.ts'

type Spec = EC2NodeClass['spec']

/** A reservation that a launch is for. */
export interface LaunchReservation {
  readonly id: string
  readonly type: 'default' | 'capacity-block'
  readonly interruptible: boolean
}

/** Everything that the data of a launch template is made from. */
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
  /** Interfaces for the Elastic Fabric Adapter that the claim asks for. */
  readonly efaCount: number
  readonly enclave: boolean
  /** The feature gate ReservedCapacity. */
  readonly reservedCapacity: boolean
  readonly reservation?: LaunchReservation
}

const GIB = 1024 ** 3
/** Regions whose metadata service knows no IPv6 setting. */
const WITHOUT_METADATA_IPV6 = /^us-iso[bf]?-(east|west|south)-1$/

type Mapping = NonNullable<Spec['blockDeviceMappings']>[number]

/** EC2 counts in GiB; what is not whole is rounded up. */
const sizeOf = (size: string | undefined): number | undefined =>
  size === undefined ? undefined : Math.ceil(toWhole(parseQuantity(size)) / GIB)

const given = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
/** EC2 takes no zeros here. */
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
          ...given('VolumeSize', sizeOf(ebs.volumeSize)),
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

/** What every interface with an IP address has. */
const addressed = ({ spec, securityGroups, isIpv6 }: TemplateInputs): Interface => ({
  Groups: [...securityGroups],
  ...given('AssociatePublicIpAddress', spec.associatePublicIPAddress),
  ...(spec.ipPrefixCount === undefined
    ? {}
    : isIpv6
      ? { Ipv6PrefixCount: spec.ipPrefixCount }
      : { Ipv4PrefixCount: spec.ipPrefixCount }),
  // On IPv6 clusters each instance has a fixed address.
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
      // The first interface of the instance is device 0; those of other cards must not be.
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
    // Tags hold what pods need not know.
    InstanceMetadataTags: 'disabled',
  }
}

/** How the launch stands to reservations: with the gate off, open ones are taken as EC2 sees fit. */
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

/** What a launch template says (`docs/spec/aws.md#launch-templates`). Equal inputs give equal data. */
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
