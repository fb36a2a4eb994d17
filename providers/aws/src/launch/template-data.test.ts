import { expect, test } from 'vitest'
import type { EC2NodeClassSpec } from '../node-class/ec2-node-class.ts'
import { nodeClassSpec } from '../testing/aws-harness.ts'
import { type TemplateInputs, templateData } from './template-data.ts'

const data = (spec: Partial<EC2NodeClassSpec> = {}, changes: Partial<TemplateInputs> = {}) =>
  templateData({
    spec: { ...nodeClassSpec, ...spec },
    family: 'AL2023',
    imageId: 'ami-1',
    instanceProfile: 'demo_1',
    securityGroups: ['sg-1', 'sg-2'],
    userData: 'aGk=',
    tags: { b: '2', a: '1' },
    isIpv6: false,
    region: 'us-east-1',
    capacityType: 'on-demand',
    tenancy: 'default',
    efaCount: 0,
    enclave: false,
    reservedCapacity: true,
    ...changes,
  })

test('a plain launch', () => {
  expect(data()).toEqual({
    BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { Encrypted: true, VolumeSize: 20, VolumeType: 'gp3' } }],
    IamInstanceProfile: { Name: 'demo_1' },
    Monitoring: { Enabled: false },
    UserData: 'aGk=',
    ImageId: 'ami-1',
    MetadataOptions: {
      HttpEndpoint: 'disabled',
      HttpProtocolIpv6: 'disabled',
      HttpPutResponseHopLimit: 2,
      HttpTokens: 'required',
      InstanceMetadataTags: 'disabled',
    },
    NetworkInterfaces: [{ DeviceIndex: 0, Groups: ['sg-1', 'sg-2'] }],
    Placement: { Tenancy: 'default' },
    TagSpecifications: [
      {
        ResourceType: 'network-interface',
        Tags: [
          { Key: 'a', Value: '1' },
          { Key: 'b', Value: '2' },
        ],
      },
    ],
    CapacityReservationSpecification: { CapacityReservationPreference: 'none' },
  })
})

test.each([
  ['1G', 1],
  ['59000Gi', 59000],
  ['100Gi', 100],
  ['1T', 932],
])('a volume of %s is %d GiB', (volumeSize, size) => {
  const spec = { blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize, iops: 0, throughput: 125 } }] }
  expect(data(spec).BlockDeviceMappings).toEqual([
    { DeviceName: '/dev/xvda', Ebs: { VolumeSize: size, Throughput: 125 } },
  ])
})

test('a custom image defines its own volumes, and Bottlerocket has two', () => {
  expect(data({}, { family: 'Custom' }).BlockDeviceMappings).toBeUndefined()
  expect(data({}, { family: 'Bottlerocket' }).BlockDeviceMappings?.map(({ DeviceName }) => DeviceName)).toEqual([
    '/dev/xvda',
    '/dev/xvdb',
  ])
})

test('public addresses, prefixes and connection tracking are set on every interface with an address', () => {
  const spec = {
    associatePublicIPAddress: false,
    ipPrefixCount: 2,
    connectionTracking: { tcpEstablishedTimeout: 300 },
    networkInterfaces: [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' as const },
      { networkCardIndex: 1, deviceIndex: 1, interfaceType: 'efa-only' as const },
    ],
  }
  expect(data(spec).NetworkInterfaces).toEqual([
    {
      NetworkCardIndex: 0,
      DeviceIndex: 0,
      InterfaceType: 'interface',
      Groups: ['sg-1', 'sg-2'],
      AssociatePublicIpAddress: false,
      Ipv4PrefixCount: 2,
      ConnectionTrackingSpecification: { TcpEstablishedTimeout: 300 },
    },
    { NetworkCardIndex: 1, DeviceIndex: 1, InterfaceType: 'efa-only', Groups: ['sg-1', 'sg-2'] },
  ])
  // Configured interfaces override those that EFAs would need.
  expect(data(spec, { efaCount: 4 }).NetworkInterfaces).toHaveLength(2)
})

test('each EFA has its own card; only the first is device 0', () => {
  const interfaces = data({}, { efaCount: 3 }).NetworkInterfaces ?? []
  expect(
    interfaces.map(({ NetworkCardIndex, DeviceIndex, InterfaceType }) => [
      NetworkCardIndex,
      DeviceIndex,
      InterfaceType,
    ]),
  ).toEqual([
    [0, 0, 'efa'],
    [1, 1, 'efa'],
    [2, 1, 'efa'],
  ])
})

test('on IPv6 every interface with addresses has a primary address, as in upstream', () => {
  const primaries = (spec: Parameters<typeof data>[0], more: Parameters<typeof data>[1]) =>
    data(spec, { ...more, isIpv6: true }).NetworkInterfaces?.map((each) => [each.PrimaryIpv6, each.Ipv6AddressCount])
  expect(primaries({}, { efaCount: 3 })).toEqual([
    [true, 1],
    [true, 1],
    [true, 1],
  ])
  const networkInterfaces = [
    { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
    { networkCardIndex: 1, deviceIndex: 1, interfaceType: 'interface' },
    { networkCardIndex: 1, deviceIndex: 2, interfaceType: 'efa-only' },
  ] as const
  expect(primaries({ networkInterfaces }, {})).toEqual([
    [true, 1],
    [true, 1],
    [undefined, undefined],
  ])
})

test('on IPv6 the first interface has a primary address, and prefixes are IPv6', () => {
  expect(data({ ipPrefixCount: 1 }, { isIpv6: true }).NetworkInterfaces).toEqual([
    { DeviceIndex: 0, Groups: ['sg-1', 'sg-2'], Ipv6PrefixCount: 1, PrimaryIpv6: true, Ipv6AddressCount: 1 },
  ])
})

test('the metadata service of isolated regions does not support IPv6', () => {
  for (const region of ['us-iso-east-1', 'us-isob-west-1', 'us-isof-south-1'])
    expect(data({}, { region }).MetadataOptions?.HttpProtocolIpv6).toBeUndefined()
})

test('spot, enclaves, nested virtualization, placement and dedicated tenancy', () => {
  const found = data(
    { cpuOptions: { nestedVirtualization: 'enabled' }, detailedMonitoring: true },
    { capacityType: 'spot', enclave: true, tenancy: 'dedicated', placement: { groupId: 'pg-1', partition: '10' } },
  )
  expect(found).toMatchObject({
    CpuOptions: { NestedVirtualization: 'enabled' },
    Monitoring: { Enabled: true },
    EnclaveOptions: { Enabled: true },
    Placement: { Tenancy: 'dedicated', GroupId: 'pg-1', PartitionNumber: 10 },
  })
  expect(found.TagSpecifications?.map(({ ResourceType }) => ResourceType)).toEqual([
    'network-interface',
    'spot-instances-request',
  ])
})

test.each([
  [{ id: 'cr-1', type: 'default', interruptible: false }, undefined],
  [{ id: 'cr-1', type: 'default', interruptible: true }, 'interruptible-capacity-reservation'],
  [{ id: 'cr-1', type: 'capacity-block', interruptible: false }, 'capacity-block'],
] as const)('for a launch into reservation %j, the market type is %s', (reservation, market) => {
  const found = data({}, { capacityType: 'reserved', reservation })
  expect(found.CapacityReservationSpecification).toEqual({
    CapacityReservationPreference: 'capacity-reservations-only',
    CapacityReservationTarget: { CapacityReservationId: 'cr-1' },
  })
  expect(found.InstanceMarketOptions?.MarketType).toBe(market)
})

test('with the feature gate off, EC2 may use open reservations', () => {
  expect(data({}, { reservedCapacity: false }).CapacityReservationSpecification).toBeUndefined()
})

test('a class with an empty list of volumes gets those of its family', () => {
  expect(data({ blockDeviceMappings: [] })).toEqual(data())
})

test('without metadata options in the class, the IP family of the metadata service follows the cluster', () => {
  expect(data({}, { isIpv6: true }).MetadataOptions?.HttpProtocolIpv6).toBe('enabled')
})
