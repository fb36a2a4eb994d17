import type { Instance } from '@aws-sdk/client-ec2'
import { labels, parseResources } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { expect, test } from 'vitest'
import { awsLabels, ZONE_ID_LABEL } from '../label-names.ts'
import { awsAnnotations, awsResources, awsTags, clusterTag } from '../labels.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { toAwsInstance } from './aws-instance.ts'
import { instanceView } from './instance-view.ts'
import { hasMark, isOtherClusters } from './ownership.ts'
import { parseProviderId } from './provider-id.ts'

const ID = 'i-0123456789abcdef0'
const LAUNCHED = '2026-01-02T03:04:05.000Z'
const data: Instance = {
  InstanceId: ID,
  InstanceType: 'm5.large',
  ImageId: 'ami-1',
  Placement: { AvailabilityZone: 'us-east-1a', AvailabilityZoneId: 'use1-az1', Tenancy: 'default', GroupId: '' },
  State: { Name: 'running' },
  SubnetId: 'subnet-a',
  SecurityGroups: [{ GroupId: 'sg-1' }, {}],
  LaunchTime: new Date(LAUNCHED),
  Tags: [
    { Key: awsTags.nodePool, Value: 'default' },
    { Key: awsTags.nodeClass, Value: 'class' },
    { Key: awsTags.nodeClaim, Value: 'claim' },
  ],
}
const read = (more: Partial<Instance> = {}, reservedCapacity = true) =>
  toAwsInstance({ ...data, ...more }, { reservedCapacity })
const reserved: Partial<Instance> = {
  CapacityReservationId: 'cr-1',
  CapacityReservationSpecification: { CapacityReservationPreference: 'capacity-reservations-only' },
}

const nodeClass: EC2NodeClass = ec2NodeClass('class', {
  annotations: { [awsAnnotations.nodeClassHash]: '1', [awsAnnotations.nodeClassHashVersion]: 'v4', other: 'x' },
  spec: { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
  status: {
    instanceProfile: 'profile',
    subnets: [
      { id: 'subnet-b', zone: 'us-east-1b', zoneID: 'use1-az2' },
      { id: 'subnet-a', zone: 'us-east-1a', zoneID: 'use1-az1' },
    ],
  },
})
const type: InstanceType = {
  name: 'm5.large',
  requirements: [
    { key: labels.arch, operator: 'In', values: ['amd64'] },
    { key: labels.zone, operator: 'In', values: ['us-east-1a', 'us-east-1b'] },
    { key: awsLabels.capacityReservationId, operator: 'In', values: ['cr-9'] },
  ],
  offerings: [],
  capacity: parseResources({ cpu: '2', [awsResources.efa]: '1' }),
  overhead: { kubeReserved: parseResources({ cpu: '100m' }) },
}

test('all fields of EC2’s response are converted', () => {
  expect(read()).toEqual({
    id: ID,
    type: 'm5.large',
    zone: 'us-east-1a',
    zoneId: 'use1-az1',
    imageId: 'ami-1',
    capacityType: 'on-demand',
    isEnding: false,
    isGone: false,
    tags: { [awsTags.nodePool]: 'default', [awsTags.nodeClass]: 'class', [awsTags.nodeClaim]: 'claim' },
    tenancy: 'default',
    efaCount: 0,
    launchedAt: Date.parse(LAUNCHED),
    subnetId: 'subnet-a',
    securityGroupIds: ['sg-1'],
  })
})

test('an instance for which EC2 returns only the ID has no invented fields', () => {
  expect(toAwsInstance({ InstanceId: ID }, { reservedCapacity: true })).toEqual({
    id: ID,
    type: '',
    zone: '',
    imageId: '',
    capacityType: 'on-demand',
    isEnding: false,
    isGone: false,
    tags: {},
    tenancy: 'default',
    efaCount: 0,
    securityGroupIds: [],
  })
})

test('spot is recognised by the request or by the lifecycle', () => {
  expect(read({ SpotInstanceRequestId: 'sir-1' }).capacityType).toBe('spot')
  expect(read({ InstanceLifecycle: 'spot' }).capacityType).toBe('spot')
  expect(read({ SpotInstanceRequestId: '' }).capacityType).toBe('on-demand')
})

test('an instance is reserved if it was launched only into reservations, and the feature gate is on', () => {
  const of = { id: 'cr-1', type: 'default', interruptible: false }
  expect(read(reserved)).toMatchObject({ capacityType: 'reserved', reservation: of })
  expect(read({ ...reserved, InstanceLifecycle: 'capacity-block' }).reservation).toEqual({
    ...of,
    type: 'capacity-block',
  })
  expect(read({ ...reserved, InstanceLifecycle: 'interruptible-capacity-reservation' }).reservation).toEqual({
    ...of,
    interruptible: true,
  })
  for (const none of [
    read(reserved, false),
    read({ ...reserved, CapacityReservationId: '' }),
    read({ ...reserved, CapacityReservationSpecification: { CapacityReservationPreference: 'open' } }),
    read({ CapacityReservationId: 'cr-1' }),
  ])
    expect([none.capacityType, none.reservation]).toEqual(['on-demand', undefined])
})

test('an instance that is shutting down is ending, and a terminated one is also gone', () => {
  const states = ['pending', 'stopping', 'stopped', 'shutting-down', 'terminated'] as const
  expect(states.filter((Name) => read({ State: { Name } }).isEnding)).toEqual(['shutting-down', 'terminated'])
  expect(states.filter((Name) => read({ State: { Name } }).isGone)).toEqual(['terminated'])
})

test('adapters, tenancy and placement are read', () => {
  const interfaces = ['efa', 'interface', 'interface', 'efa-only'].map((InterfaceType) => ({ InterfaceType }))
  expect(read({ NetworkInterfaces: interfaces }).efaCount).toBe(2)
  expect(read({ Placement: { Tenancy: 'dedicated' } }).tenancy).toBe('dedicated')
  expect(read({ Placement: { Tenancy: 'host' } }).tenancy).toBe('default')
  expect(read({ Placement: { GroupId: 'pg-1' } }).placement).toEqual({ groupId: 'pg-1' })
  expect(read({ Placement: { GroupId: 'pg-1', PartitionNumber: 1 } }).placement).toEqual({
    groupId: 'pg-1',
    partition: '1',
  })
})

test('the view has the labels of the type and the instance, its resources, and its owner', () => {
  const NetworkInterfaces = [{ InterfaceType: 'efa' }]
  expect(instanceView(read({ NetworkInterfaces }), { nodeClass, type })).toEqual({
    providerID: `aws:///us-east-1a/${ID}`,
    nodeClaimName: 'claim',
    nodePool: 'default',
    labels: {
      [labels.arch]: 'amd64',
      [labels.instanceType]: 'm5.large',
      [labels.zone]: 'us-east-1a',
      [ZONE_ID_LABEL]: 'use1-az1',
      [labels.capacityType]: 'on-demand',
      [awsLabels.tenancy]: 'default',
      [labels.nodePool]: 'default',
      [awsLabels.nodeClass]: 'class',
    },
    annotations: {
      [awsAnnotations.nodeClassHash]: '1',
      [awsAnnotations.nodeClassHashVersion]: 'v4',
      [awsAnnotations.instanceProfileName]: 'profile',
    },
    imageID: 'ami-1',
    capacity: { cpu: '2', [awsResources.efa]: '1' },
    allocatable: { cpu: '1900m', [awsResources.efa]: '1' },
    createdAt: '2026-01-02T03:04:05Z',
  })
  const plain = instanceView(read(), { nodeClass, type })
  expect([plain.capacity, plain.allocatable]).toEqual([{ cpu: '2' }, { cpu: '1900m' }])
})

test('without a type and a class, a view has fewer fields, and only what EC2 returned', () => {
  const view = instanceView(read({ Tags: [] }), {})
  expect(view).toEqual({
    providerID: `aws:///us-east-1a/${ID}`,
    labels: {
      [labels.instanceType]: 'm5.large',
      [labels.zone]: 'us-east-1a',
      [labels.capacityType]: 'on-demand',
      [awsLabels.tenancy]: 'default',
    },
    annotations: {},
    imageID: 'ami-1',
    capacity: {},
    allocatable: {},
    createdAt: '2026-01-02T03:04:05Z',
  })
  expect(view).not.toHaveProperty('nodePool')
  expect(instanceView(read({ Tags: [{ Key: awsTags.nodePool, Value: '' }] }), {}).labels).not.toHaveProperty(
    labels.nodePool,
  )
})

test('reservation and placement become node labels, and an ending instance has a deletion timestamp', () => {
  const view = instanceView(read({ ...reserved, Placement: { GroupId: 'pg-1', PartitionNumber: 2 } }), { type })
  expect(view.labels).toMatchObject({
    [labels.capacityType]: 'reserved',
    [awsLabels.capacityReservationId]: 'cr-1',
    [awsLabels.capacityReservationType]: 'default',
    [awsLabels.capacityReservationInterruptible]: 'false',
    [awsLabels.placementGroupId]: 'pg-1',
    [awsLabels.placementGroupPartition]: '2',
  })
  expect(view.deletionTimestamp).toBeUndefined()
  const ending = instanceView(read({ State: { Name: 'shutting-down' } }), {})
  expect(ending.deletionTimestamp).toBe('2026-01-02T03:04:05Z')
})

test('a provider ID names a zone and an instance; another form names none', () => {
  expect(parseProviderId(`aws:///us-east-1a/${ID}`)).toEqual({ zone: 'us-east-1a', instanceId: ID })
  for (const other of [
    undefined,
    '',
    ID,
    'kwok://a',
    `aws:///${ID}`,
    'aws:///us-east-1a/vol-1',
    `xaws:///a/${ID}`,
    `aws:///a/${ID}/b`,
  ])
    expect(parseProviderId(other)).toBeUndefined()
})

test('any tag of a launch marks an instance as belonging to the cluster, unless another cluster is named', () => {
  const marks = [
    { [awsTags.clusterName]: 'kerf' },
    { [clusterTag('kerf')]: 'owned' },
    { [awsTags.launchedFor]: 'x' },
    { [awsTags.nodeClaim]: 'claim' },
  ]
  for (const mark of marks) expect(hasMark(mark, 'kerf')).toBe(true)
  for (const none of [{}, { [awsTags.clusterName]: 'other' }, { [clusterTag('other')]: 'owned' }, { Name: 'x' }])
    expect(hasMark(none, 'kerf')).toBe(false)
  expect(
    [{}, { [awsTags.clusterName]: 'kerf' }, { [awsTags.clusterName]: 'other' }].map((own) =>
      isOtherClusters(own, 'kerf'),
    ),
  ).toEqual([false, false, true])
})
