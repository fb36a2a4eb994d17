import { describe, expect, test } from 'vitest'
import { VECTOR_CA_BUNDLE, vectorSpec } from '../testing/hash-vectors.ts'
import { nodeClassAmiFamily } from './ami-family.ts'
import type { EC2NodeClassSpec } from './ec2-node-class.ts'
import { kubeletText, NODE_CLASS_HASH_VERSION, nodeClassHash } from './hash.ts'

/** The spec that all test vectors of `providers/aws/docs/spec/aws-node-class.md#drift-hash` modify. */
const base: EC2NodeClassSpec = {
  amiFamily: 'Custom',
  amiSelectorTerms: [{ id: 'ami-1' }],
  subnetSelectorTerms: [{ id: 'subnet-1' }],
  securityGroupSelectorTerms: [{ id: 'sg-1' }],
  ...vectorSpec,
  blockDeviceMappings: [...vectorSpec.blockDeviceMappings],
}
const caBundle = VECTOR_CA_BUNDLE
const changedHash = (changes: Partial<EC2NodeClassSpec> = {}): string =>
  nodeClassHash({ spec: { ...base, ...changes } }, { caBundle })

const [first = {}, second = {}] = base.blockDeviceMappings ?? []

describe('the test vectors of the specification', () => {
  const vectors: readonly (readonly [string, Partial<EC2NodeClassSpec>, string])[] = [
    ['nothing', {}, '11148166120438674859'],
    ['user data', { userData: 'userdata-test-2' }, '11774429238106843388'],
    ['a tag more', { tags: { ...base.tags, 'keyTag-test-3': 'valueTag-test-3' } }, '9327338697296909506'],
    ['context', { context: 'context-2' }, '2279761750428738028'],
    ['monitoring', { detailedMonitoring: true }, '1936848126751988570'],
    ['instance store', { instanceStorePolicy: 'RAID0' }, '16697988646989909967'],
    ['connection tracking', { connectionTracking: { tcpEstablishedTimeout: 300 } }, '1619669030802245540'],
    ['nested virtualization', { cpuOptions: { nestedVirtualization: 'enabled' } }, '6157846767212910604'],
    [
      'a device name',
      { blockDeviceMappings: [{ ...first, deviceName: 'map-device-test-3' }, second] },
      '8979166653850509463',
    ],
    ['the root volume', { blockDeviceMappings: [{ ...first, rootVolume: true }, second] }, '8875796205856543692'],
    ['tokens', { metadataOptions: { ...base.metadataOptions, httpTokens: 'required' } }, '1346719102507290084'],
  ]
  test.each(vectors)('%s', (_, change, expected) => {
    expect(changedHash(change)).toBe(expected)
  })
})

test('the version is the one on claims of existing clusters', () => {
  expect(NODE_CLASS_HASH_VERSION).toBe('v6')
})

test('order does not matter, in tags or in volumes', () => {
  expect(changedHash({ tags: { 'keyTag-2': 'valueTag-2', 'keyTag-1': 'valueTag-1' } })).toBe(changedHash())
  expect(changedHash({ blockDeviceMappings: [second, first] })).toBe(changedHash())
})

test.each<readonly [string, Partial<EC2NodeClassSpec>]>([
  ['images', { amiSelectorTerms: [{ id: 'ami-2' }] }],
  ['subnets', { subnetSelectorTerms: [{ tags: { a: 'b' } }] }],
  ['security groups', { securityGroupSelectorTerms: [{ name: 'other' }] }],
  ['reservations', { capacityReservationSelectorTerms: [{ id: 'cr-1' }] }],
  ['the prefix count', { ipPrefixCount: 3 }],
  ['rootVolume: false', { blockDeviceMappings: [{ ...first, rootVolume: false }, second] }],
  ['an empty kubelet', { kubelet: {} }],
  [
    'the same size in other words',
    { blockDeviceMappings: [{ ...first, ebs: { ...first.ebs, volumeSize: '2G' } }, second] },
  ],
])('ignores %s', (_, change) => {
  expect(changedHash(change)).toBe(changedHash())
})

test('every hashed field changes the hash', () => {
  const changes: readonly Partial<EC2NodeClassSpec>[] = [
    {},
    { placementGroupSelector: { name: 'a' } },
    { placementGroupSelector: { id: 'pg-a' } },
    { associatePublicIPAddress: true },
    { userData: '' },
    { role: 'role-2' },
    { tags: {} },
    { blockDeviceMappings: [] },
    { blockDeviceMappings: [first] },
    ...(['deleteOnTermination', 'encrypted'] as const).map((field) => ({
      blockDeviceMappings: [{ ...first, ebs: { ...first.ebs, [field]: true } }, second],
    })),
    ...(['iops', 'throughput', 'volumeInitializationRate'] as const).map((field) => ({
      blockDeviceMappings: [{ ...first, ebs: { ...first.ebs, [field]: 150 } }, second],
    })),
    ...(['kmsKeyID', 'snapshotID'] as const).map((field) => ({
      blockDeviceMappings: [{ ...first, ebs: { ...first.ebs, [field]: 'other' } }, second],
    })),
    { blockDeviceMappings: [{ ...first, ebs: { ...first.ebs, volumeSize: '3G' } }, second] },
    { blockDeviceMappings: [{ ...first, ebs: { ...first.ebs, volumeType: 'gp3' as const } }, second] },
    { networkInterfaces: [] },
    { networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }] },
    { networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 1, interfaceType: 'interface' }] },
    { networkInterfaces: [{ networkCardIndex: 1, deviceIndex: 0, interfaceType: 'interface' }] },
    { detailedMonitoring: true },
    { metadataOptions: { ...base.metadataOptions, httpEndpoint: 'enabled' } },
    { metadataOptions: { ...base.metadataOptions, httpProtocolIPv6: 'enabled' } },
    { metadataOptions: { ...base.metadataOptions, httpPutResponseHopLimit: 2 } },
    { connectionTracking: { tcpEstablishedTimeout: 60 } },
    { connectionTracking: { udpStreamTimeout: 60 } },
    { connectionTracking: { udpTimeout: 60 } },
    { cpuOptions: {} },
    { cpuOptions: { nestedVirtualization: 'disabled' } },
    { amiFamily: 'AL2023' },
    { kubelet: { maxPods: 12 } },
    { kubelet: { maxPods: 21 } },
  ]
  expect(new Set(changes.map(changedHash)).size).toBe(changes.length)
  expect(nodeClassHash({ spec: base }, { caBundle: '' })).not.toBe(changedHash())
})

test('a size is hashed in Go’s format', () => {
  const sized = (volumeSize: string): string =>
    changedHash({ blockDeviceMappings: [{ ...first, ebs: { ...first.ebs, volumeSize } }] })
  expect(sized('1024Gi')).toBe(sized('1Ti'))
  expect(sized('2000G')).toBe(sized('2T'))
  expect(sized('1000Gi')).not.toBe(sized('1Ti'))
})

test('the family is the explicit one, that of the alias, or Custom', () => {
  const terms = { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] }
  expect(nodeClassAmiFamily(terms)).toBe('Bottlerocket')
  expect(nodeClassAmiFamily({ ...terms, amiFamily: 'Custom' })).toBe('Custom')
  expect(nodeClassAmiFamily({ amiSelectorTerms: [{ id: 'ami-1' }] })).toBe('Custom')
})

test('the kubelet settings are written in Go’s format', () => {
  expect(kubeletText(undefined)).toBe('null')
  expect(kubeletText({})).toBe('null')
  expect(kubeletText({ maxPods: 20, clusterDNS: ['10.0.0.10'], evictionHard: { b: '<5%', a: '1&2>0\u2028' } })).toBe(
    '{"clusterDNS":["10.0.0.10"],"evictionHard":{"a":"1\\u00262\\u003e0\\u2028","b":"\\u003c5%"},"maxPods":20}',
  )
  expect(kubeletText({ clusterDNS: ['10.0.0.10', 'a\u2029b'] })).toBe('{"clusterDNS":["10.0.0.10","a\\u2029b"]}')
  // JavaScript would sort keys that look like numbers first.
  expect(kubeletText({ a: { '10': 1, '9': 2, x: null } })).toBe('{"a":{"10":1,"9":2,"x":null}}')
})
