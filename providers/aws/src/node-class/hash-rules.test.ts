import { expect, test } from 'vitest'
import { VECTOR_CA_BUNDLE, vectorSpec } from '../testing/hash-vectors.ts'
import type { EC2NodeClassSpec } from './ec2-node-class.ts'
import { nodeClassHash } from './hash.ts'

// An independent implementation of `providers/aws/docs/spec/aws-node-class.md#drift-hash`: a table of the Go types, and one function that
// walks it.

const MASK = (1n << 64n) - 1n
const fnv1 = (bytes: Iterable<number>): bigint => {
  let hash = 14_695_981_039_346_656_037n
  for (const byte of bytes) hash = ((hash * 1_099_511_628_211n) & MASK) ^ BigInt(byte)
  return hash
}
const little = (value: bigint, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * index)) & 255n))
const textHash = (value: string): bigint => fnv1(Buffer.from(value))
const pair = (a: bigint, b: bigint): bigint => fnv1([...little(a, 8), ...little(b, 8)])
const finish = (a: bigint): bigint => fnv1(little(a, 8))

type Kind = 'text' | 'flag' | 'int32' | 'int64' | 'tags' | { readonly struct: string } | { readonly list: string }
/**
 * A field: its Go name, its name in the object, its kind, and whether it is a pointer. The hash includes a pointer even if its value is
 * zero.
 */
type Field = readonly [go: string, name: string, kind: Kind, pointer: boolean]

const STRUCTS: Readonly<Record<string, readonly Field[]>> = {
  EC2NodeClassSpec: [
    ['PlacementGroupSelector', 'placementGroupSelector', { struct: 'PlacementGroupSelector' }, true],
    ['AssociatePublicIPAddress', 'associatePublicIPAddress', 'flag', true],
    ['UserData', 'userData', 'text', true],
    ['Role', 'role', 'text', false],
    ['InstanceProfile', 'instanceProfile', 'text', true],
    ['Tags', 'tags', 'tags', false],
    ['BlockDeviceMappings', 'blockDeviceMappings', { list: 'BlockDeviceMapping' }, false],
    ['InstanceStorePolicy', 'instanceStorePolicy', 'text', true],
    ['NetworkInterfaces', 'networkInterfaces', { list: 'NetworkInterface' }, false],
    ['DetailedMonitoring', 'detailedMonitoring', 'flag', true],
    ['MetadataOptions', 'metadataOptions', { struct: 'MetadataOptions' }, true],
    ['ConnectionTracking', 'connectionTracking', { struct: 'ConnectionTracking' }, true],
    ['Context', 'context', 'text', true],
    ['CPUOptions', 'cpuOptions', { struct: 'CPUOptions' }, true],
  ],
  PlacementGroupSelector: [
    ['Name', 'name', 'text', false],
    ['ID', 'id', 'text', false],
  ],
  BlockDeviceMapping: [
    ['DeviceName', 'deviceName', 'text', true],
    ['EBS', 'ebs', { struct: 'BlockDevice' }, true],
    ['RootVolume', 'rootVolume', 'flag', false],
  ],
  BlockDevice: [
    ['DeleteOnTermination', 'deleteOnTermination', 'flag', true],
    ['Encrypted', 'encrypted', 'flag', true],
    ['IOPS', 'iops', 'int64', true],
    ['KMSKeyID', 'kmsKeyID', 'text', true],
    ['SnapshotID', 'snapshotID', 'text', true],
    ['Throughput', 'throughput', 'int64', true],
    ['VolumeInitializationRate', 'volumeInitializationRate', 'int32', true],
    ['VolumeSize', 'volumeSize', 'text', true],
    ['VolumeType', 'volumeType', 'text', true],
  ],
  NetworkInterface: [
    ['NetworkCardIndex', 'networkCardIndex', 'int32', false],
    ['DeviceIndex', 'deviceIndex', 'int32', false],
    ['InterfaceType', 'interfaceType', 'text', false],
  ],
  MetadataOptions: [
    ['HTTPEndpoint', 'httpEndpoint', 'text', true],
    ['HTTPProtocolIPv6', 'httpProtocolIPv6', 'text', true],
    ['HTTPPutResponseHopLimit', 'httpPutResponseHopLimit', 'int64', true],
    ['HTTPTokens', 'httpTokens', 'text', true],
  ],
  ConnectionTracking: [
    ['TCPEstablishedTimeout', 'tcpEstablishedTimeout', 'int32', true],
    ['UDPStreamTimeout', 'udpStreamTimeout', 'int32', true],
    ['UDPTimeout', 'udpTimeout', 'int32', true],
  ],
  CPUOptions: [['NestedVirtualization', 'nestedVirtualization', 'text', true]],
}

const valueHash = (kind: Kind, value: unknown): bigint => {
  if (kind === 'text') return textHash(String(value))
  if (kind === 'flag') return fnv1([value === true ? 1 : 0])
  if (kind === 'int32') return fnv1(little(BigInt(Number(value)), 4))
  if (kind === 'int64') return fnv1(little(BigInt(Number(value)), 8))
  if (kind === 'tags') {
    const entries = Object.entries(value as Record<string, string>)
    return finish(entries.reduce((all, [key, text]) => all ^ pair(textHash(key), textHash(text)), 0n))
  }
  if ('list' in kind) return (value as unknown[]).reduce<bigint>((all, each) => all ^ structHash(kind.list, each), 0n)
  return structHash(kind.struct, value)
}
const structHash = (name: string, object: unknown): bigint => {
  let hash = textHash(name)
  for (const [go, field, kind, pointer] of STRUCTS[name] ?? []) {
    const value: unknown = Reflect.get(object as object, field)
    if (value === undefined || (!pointer && (value === '' || value === 0 || value === false))) continue
    hash = finish(hash ^ pair(textHash(go), valueHash(kind, value)))
  }
  return hash
}
const byTheRules = (spec: Partial<EC2NodeClassSpec>): string =>
  (structHash('EC2NodeClassSpec', spec) ^ textHash('Custom') ^ textHash(VECTOR_CA_BUNDLE) ^ textHash('null')).toString()

const selectors: EC2NodeClassSpec = {
  amiFamily: 'Custom',
  amiSelectorTerms: [{ id: 'ami-1' }],
  subnetSelectorTerms: [{ id: 'subnet-1' }],
  securityGroupSelectorTerms: [{ id: 'sg-1' }],
}
const base: Partial<EC2NodeClassSpec> = {
  ...vectorSpec,
  blockDeviceMappings: [...vectorSpec.blockDeviceMappings],
}

/** For every field of every type, a change that sets a value and, for a pointer, another change that sets an explicit zero. */
const changes: readonly Partial<EC2NodeClassSpec>[] = [
  {},
  { placementGroupSelector: { name: 'near' } },
  { placementGroupSelector: { id: 'pg-1' } },
  { placementGroupSelector: { name: '', id: '' } },
  { associatePublicIPAddress: true },
  { userData: '' },
  { role: '' },
  { instanceProfile: 'profile' },
  { instanceProfile: '' },
  { tags: {} },
  { blockDeviceMappings: [] },
  {
    blockDeviceMappings: [
      {
        deviceName: '',
        rootVolume: true,
        ebs: {
          deleteOnTermination: true,
          encrypted: true,
          iops: 3_000,
          kmsKeyID: '',
          snapshotID: '',
          throughput: 2 ** 40,
          volumeInitializationRate: 100,
          volumeSize: '20Gi',
          volumeType: 'gp3',
        },
      },
      { ebs: {} },
      { ebs: { volumeInitializationRate: 0 } },
    ],
  },
  { instanceStorePolicy: 'RAID0' },
  {
    networkInterfaces: [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
      { networkCardIndex: 1, deviceIndex: 2, interfaceType: 'efa-only' },
    ],
  },
  { networkInterfaces: [{ networkCardIndex: 3, deviceIndex: 0, interfaceType: '' as 'interface' }] },
  { detailedMonitoring: true },
  { metadataOptions: {} },
  { metadataOptions: { httpPutResponseHopLimit: 0 } },
  { connectionTracking: { tcpEstablishedTimeout: 300, udpStreamTimeout: 120, udpTimeout: 45 } },
  { connectionTracking: { udpTimeout: 0 } },
  { context: '' },
  { cpuOptions: { nestedVirtualization: 'enabled' } },
  { cpuOptions: {} },
]

test('these rules give the hash of an upstream test vector', () => {
  expect(byTheRules(base)).toBe('11148166120438674859')
})

test.each(changes)('the hash of %j follows the rules', (change) => {
  const spec = { ...base, ...change }
  expect(nodeClassHash({ spec: { ...selectors, ...spec } }, { caBundle: VECTOR_CA_BUNDLE })).toBe(byTheRules(spec))
})
