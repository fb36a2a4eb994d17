import {
  accepted,
  CASE_NAME,
  type ConformanceCase,
  caseTable,
  conditionCases,
  many,
  refused,
  type Table,
} from '@kerf/apis/conformance'
import { ec2NodeClassResource } from '../node-class/ec2-node-class.ts'
import { imageCases, reservationCases, subnetAndGroupCases } from './ec2-selector-cases.ts'

const base = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: CASE_NAME },
  spec: {
    role: 'KarpenterNodeRole-demo',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }],
  },
}

const roleCases = (table: Table): void => {
  const profile = { 'spec/role': undefined, 'spec/instanceProfile': 'nodes' }
  table.accepts('a role', {}, { 'spec.instanceProfile': undefined })
  table.accepts('an instance profile', profile)
  table.accepts('a role with a path', { 'spec/role': 'team/nodes' })
  table.refuses('role and instance profile', { 'spec/instanceProfile': 'nodes' }, 'spec')
  table.refuses('neither role nor instance profile', { 'spec/role': undefined }, 'spec')
  table.refuses('an empty role', { 'spec/role': '' }, 'spec.role')
  table.refuses('an empty instance profile', { ...profile, 'spec/instanceProfile': '' }, 'spec.instanceProfile')
  table.update('the role changes', {}, { 'spec/role': 'other' }, accepted({ 'spec.role': 'other' }))
  table.update('the role becomes a profile', {}, profile, accepted({ 'spec.instanceProfile': 'nodes' }))
  table.update(
    'the profile becomes a role',
    profile,
    { 'spec/role': 'a', 'spec/instanceProfile': undefined },
    accepted({ 'spec.role': 'a' }),
  )
  table.update('the role goes', {}, { 'spec/role': undefined }, refused('spec'))
}

const tagCases = (table: Table): void => {
  table.acceptsEach('spec/tags', [{}, { team: 'a' }, { Name: 'mine' }, { a: '' }, { 'kubernetes.io/role': 'a' }])
  for (const tag of [
    '',
    'eks:eks-cluster-name',
    'karpenter.sh/nodepool',
    'karpenter.sh/nodeclaim',
    'karpenter.k8s.aws/ec2nodeclass',
    'kubernetes.io/cluster',
    'kubernetes.io/cluster/demo',
    'kubernetes.io/clusters',
  ])
    table.refuses(`the tag ${tag || 'without a name'}`, { 'spec/tags': { fine: 'yes', [tag]: 'owned' } }, 'spec.tags')
}

const kubeletCases = (table: Table): void => {
  const kept = (name: string, kubelet: unknown, reads: Readonly<Record<string, unknown>>): void =>
    table.accepts(`kubelet: ${name}`, { 'spec/kubelet': kubelet }, reads)
  kept('what it has', { maxPods: 20, clusterDNS: ['10.0.0.10'] }, { 'spec.kubelet.maxPods': 20 })
  kept('an expression', { maxPods: 'vcpus * 10' }, { 'spec.kubelet.maxPods': 'vcpus * 10' })
  kept('an unknown field', { someNewField: 'x' }, { 'spec.kubelet.someNewField': 'x' })
  kept(
    'a part of its own',
    { logging: { format: 'json', options: { a: [1] } } },
    {
      'spec.kubelet.logging.options.a': [1],
    },
  )
  kept('what the kubelet would refuse', { maxPods: -1 }, { 'spec.kubelet.maxPods': -1 })
  kept('nothing in it', {}, { 'spec.kubelet': {} })
  table.refuses('kubelet: a text', { 'spec/kubelet': 'maxPods: 1' }, 'spec.kubelet')
}

const metadataCases = (table: Table): void => {
  const defaults = {
    httpEndpoint: 'enabled',
    httpProtocolIPv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: 'required',
  }
  table.accepts('metadata options have defaults', {}, { 'spec.metadataOptions': defaults })
  table.accepts('each metadata option has one', { 'spec/metadataOptions': {} }, { 'spec.metadataOptions': defaults })
  table.accepts(
    'the others keep theirs',
    { 'spec/metadataOptions': { httpTokens: 'optional' } },
    { 'spec.metadataOptions': { ...defaults, httpTokens: 'optional' } },
  )
  const bad = (name: string, values: readonly unknown[]): void =>
    table.refusesEach(`spec/metadataOptions/${name}`, values, `spec.metadataOptions.${name}`)
  bad('httpEndpoint', ['on', '', true])
  bad('httpProtocolIPv6', ['on', 'ENABLED'])
  bad('httpPutResponseHopLimit', [0, -1, 65, '1'])
  bad('httpTokens', ['enabled', ''])
  table.acceptsEach('spec/metadataOptions/httpPutResponseHopLimit', [2, 64])
}

/** Adds cases. The function is long because it is a table. */
const volumeCases = (table: Table): void => {
  const ebs = (fields: object): Record<string, unknown> => ({ 'spec/blockDeviceMappings': [{ ebs: fields }] })
  const field = 'spec.blockDeviceMappings'
  for (const volumeSize of [
    '1Gi',
    '59000Gi',
    '1G',
    '64000G',
    '9Ti',
    '57Ti',
    '58Ti',
    '1T',
    '10T',
    '64T',
    'Ti',
    'T',
    '20Gi',
  ])
    table.accepts(`a volume of ${volumeSize}`, ebs({ volumeSize }))
  for (const volumeSize of [
    '',
    '0Gi',
    '59001Gi',
    '64001G',
    '18Ti',
    '59Ti',
    '65T',
    '1.5Gi',
    '100Mi',
    '1Pi',
    '20',
    'Gi',
    '-1Gi',
  ])
    table.refuses(`a volume of ${volumeSize || 'nothing'}`, ebs({ volumeSize }), `${field}[0].ebs.volumeSize`)
  table.refuses('a volume size that is a number', ebs({ volumeSize: 20 }), `${field}[0].ebs.volumeSize`)
  table.accepts('a volume of a snapshot', ebs({ snapshotID: 'snap-1' }))
  table.refuses('a volume of nothing at all', ebs({ volumeType: 'gp3' }), `${field}[0].ebs`)
  for (const volumeType of ['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3'])
    table.accepts(`a volume of type ${volumeType}`, ebs({ volumeSize: '20Gi', volumeType }))
  table.refuses('a volume of type ssd', ebs({ volumeSize: '1Gi', volumeType: 'ssd' }), `${field}[0].ebs.volumeType`)
  const whole = {
    deleteOnTermination: true,
    encrypted: true,
    iops: 3000,
    kmsKeyID: 'key',
    snapshotID: 'snap-1',
    throughput: 125,
    volumeInitializationRate: 100,
    volumeSize: '100Gi',
    volumeType: 'gp3',
  }
  table.accepts('a volume with everything', ebs(whole), { 'spec.blockDeviceMappings.0.ebs': whole })
  table.accepts('the fastest initialization', ebs({ ...whole, volumeInitializationRate: 300 }))
  for (const rate of [99, 301])
    table.refuses(
      `an initialization of ${rate}`,
      ebs({ ...whole, volumeInitializationRate: rate }),
      `${field}[0].ebs.volumeInitializationRate`,
    )
  table.refuses(
    'an initialization without snapshot',
    ebs({ volumeSize: '1Gi', volumeInitializationRate: 100 }),
    `${field}[0].ebs`,
  )
  table.refuses('an initialization of an empty snapshot', ebs({ ...whole, snapshotID: '' }), `${field}[0].ebs`)
  const mapping = (rootVolume: boolean): object => ({ deviceName: '/dev/xvda', ebs: { volumeSize: '1Gi' }, rootVolume })
  table.accepts('one root among volumes', {
    'spec/blockDeviceMappings': [mapping(false), mapping(true), { deviceName: 'a' }],
  })
  table.refuses('two roots', { 'spec/blockDeviceMappings': [mapping(true), mapping(true)] }, field)
  table.accepts('50 volumes', { 'spec/blockDeviceMappings': many(50, () => mapping(false)) })
  table.refuses('51 volumes', { 'spec/blockDeviceMappings': many(51, () => mapping(false)) }, field)
  table.refusesEach('spec/instanceStorePolicy', ['RAID1', '', 'raid0'], 'spec.instanceStorePolicy')
  table.accepts('instance store in RAID0', { 'spec/instanceStorePolicy': 'RAID0' })
}

const networkCases = (table: Table): void => {
  const one = (networkCardIndex: unknown, deviceIndex: unknown, interfaceType: unknown = 'interface'): object => ({
    networkCardIndex,
    deviceIndex,
    interfaceType,
  })
  const primary = one(0, 0)
  const field = 'spec.networkInterfaces'
  const accepts = (name: string, ...all: readonly object[]): void =>
    table.accepts(`interfaces: ${name}`, { 'spec/networkInterfaces': all })
  const refuses = (name: string, all: readonly object[], ...fields: readonly string[]): void =>
    table.refuses(`interfaces: ${name}`, { 'spec/networkInterfaces': all }, ...fields)
  accepts('none')
  accepts('the primary', primary)
  accepts(
    'four cards',
    primary,
    one(0, 1, 'efa-only'),
    one(1, 0, 'efa-only'),
    one(1, 1),
    one(2, 1),
    one(3, 1, 'efa-only'),
  )
  accepts('the primary last', one(1, 1), primary)
  accepts('150', ...many(150, (index) => one(index, 0)))
  refuses(
    '151',
    many(151, (index) => one(index, 0)),
    field,
  )
  refuses('an unknown type', [primary, one(1, 1, 'efa')], `${field}[1].interfaceType`)
  refuses('a negative card', [primary, one(-1, 1)], `${field}[1].networkCardIndex`)
  refuses('a negative device', [primary, one(1, -1)], `${field}[1].deviceIndex`)
  refuses('the same place twice', [primary, one(1, 1), one(1, 1, 'efa-only')], field)
  refuses('no primary', [one(0, 1), one(1, 0)], field)
  refuses('a primary without IP', [one(0, 0, 'efa-only'), one(0, 1)], field)
  refuses('two efa-only on a card', [primary, one(1, 0, 'efa-only'), one(1, 1, 'efa-only')], field)
  refuses('no card', [{ deviceIndex: 0, interfaceType: 'interface' }], `${field}[0].networkCardIndex`)
  table.acceptsEach('spec/ipPrefixCount', [0, 1, 100])
  table.refusesEach('spec/ipPrefixCount', [-1, '1', 1.5], 'spec.ipPrefixCount')
  table.acceptsEach('spec/associatePublicIPAddress', [true, false])
  table.refusesEach('spec/associatePublicIPAddress', ['true'], 'spec.associatePublicIPAddress')
}

const trackingCases = (table: Table): void => {
  const at = 'spec/connectionTracking'
  const field = 'spec.connectionTracking'
  table.refuses('connection tracking of nothing', { [at]: {} }, field)
  const bounds = { tcpEstablishedTimeout: [60, 432000], udpStreamTimeout: [60, 180], udpTimeout: [30, 60] } as const
  for (const [name, [least, most]] of Object.entries(bounds)) {
    table.accepts(`${name} at its least`, { [at]: { [name]: least } })
    table.accepts(`${name} at its most`, { [at]: { [name]: most } })
    for (const value of [least - 1, most + 1])
      table.refuses(`${name} of ${value}`, { [at]: { [name]: value } }, `${field}.${name}`)
  }
  table.accepts('all timeouts', { [at]: { tcpEstablishedTimeout: 300, udpStreamTimeout: 120, udpTimeout: 45 } })
}

const placementCases = (table: Table): void => {
  table.accepts('a placement group by name', { 'spec/placementGroupSelector': { name: 'rack' } })
  table.accepts('a placement group by id', { 'spec/placementGroupSelector': { id: 'pg-0a1b' } })
  const field = 'spec.placementGroupSelector'
  table.refuses('a placement group by nothing', { 'spec/placementGroupSelector': {} }, field)
  table.refuses('a placement group by both', { 'spec/placementGroupSelector': { name: 'a', id: 'pg-1' } }, field)
  table.refuses('a placement group without a name', { 'spec/placementGroupSelector': { name: '' } }, `${field}.name`)
  table.refuses('a placement group by a bad id', { 'spec/placementGroupSelector': { id: 'x-pg-1' } }, `${field}.id`)
  table.acceptsEach('spec/cpuOptions', [{}, { nestedVirtualization: 'enabled' }, { nestedVirtualization: 'disabled' }])
  table.refuses(
    'other nested virtualization',
    { 'spec/cpuOptions': { nestedVirtualization: 'on' } },
    'spec.cpuOptions.nestedVirtualization',
  )
}

const statusCases = (table: Table): void => {
  const reservation = {
    availabilityZone: 'us-east-1a',
    id: 'cr-1',
    instanceMatchCriteria: 'open',
    instanceType: 'm5.large',
    ownerID: '012345678901',
    reservationType: 'default',
    interruptible: false,
    state: 'active',
  }
  const status = {
    subnets: [{ id: 'subnet-1', zone: 'us-east-1a', zoneID: 'use1-az1' }],
    securityGroups: [{ id: 'sg-1', name: 'nodes' }],
    amis: [
      {
        id: 'ami-1',
        name: 'a',
        deprecated: true,
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
      },
    ],
    capacityReservations: [reservation],
    instanceProfile: 'demo_1',
  }
  table.updateStatus('a whole status', {}, { status }, accepted({ 'status.amis.0.requirements.0.values': ['amd64'] }))
  table.updateStatus(
    'a reservation has defaults',
    {},
    {
      'status/capacityReservations': [{ ...reservation, reservationType: undefined, state: undefined }].map((each) =>
        JSON.parse(JSON.stringify(each)),
      ),
    },
    accepted({
      'status.capacityReservations.0.state': 'active',
      'status.capacityReservations.0.reservationType': 'default',
    }),
  )
  const bad = (name: string, change: Readonly<Record<string, unknown>>, field: string): void =>
    table.updateStatus(name, {}, { status, ...change }, refused(field))
  bad('a subnet without zone', { 'status/subnets': [{ id: 'a' }] }, 'status.subnets[0].zone')
  bad('an image without requirements', { 'status/amis': [{ id: 'a' }] }, 'status.amis[0].requirements')
  bad(
    'a reservation in another state',
    { 'status/capacityReservations': [{ ...reservation, state: 'gone' }] },
    'status.capacityReservations[0].state',
  )
  conditionCases(table, false)
}

/** Returns accepted and refused cases for every rule of EC2NodeClass (`providers/aws/docs/spec/aws-node-class.md#admission-rules`). */
export const ec2NodeClassCases = (): readonly ConformanceCase[] => {
  const table = caseTable(ec2NodeClassResource.kind, base)
  table.accepts('the least', {}, { status: undefined })
  table.refuses('no spec', { spec: undefined }, 'spec')
  subnetAndGroupCases(table)
  reservationCases(table)
  imageCases(table)
  roleCases(table)
  tagCases(table)
  kubeletCases(table)
  metadataCases(table)
  volumeCases(table)
  networkCases(table)
  trackingCases(table)
  placementCases(table)
  table.acceptsEach('spec/userData', ['', '#!/bin/bash\n'])
  table.acceptsEach('spec/context', ['fleet'])
  table.acceptsEach('spec/detailedMonitoring', [true, false])
  statusCases(table)
  return table.cases
}
