import {
  type FieldHash,
  formatQuantity,
  hashBoolean,
  hashField,
  hashGiven,
  hashInt32,
  hashMap,
  hashSet,
  hashStruct,
  hashText,
  ownValue,
  parseQuantity,
} from '@kerf/apis'
import { nodeClassAmiFamily } from './ami-family.ts'
import type { EC2NodeClass, EC2NodeClassSpec } from './ec2-node-class.ts'

/**
 * The version of the hash below. NodeClaims with another version get the new hash instead of drifting
 * (`providers/aws/docs/spec/aws-node-class.md#drift-hash`).
 */
export const NODE_CLASS_HASH_VERSION = 'v6'

/** The inputs of the hash, in addition to the object. */
export interface NodeClassHashInputs {
  /** The certificate authority of the cluster in base64, as passed to nodes. May be empty. */
  readonly caBundle: string
}

const { text, flag, int64, int32, plainText } = hashField
const plainInt32 = (value: number): FieldHash => (value === 0 ? undefined : hashInt32(value))

type Item<List> = NonNullable<List> extends readonly (infer T)[] ? T : never
type BlockDeviceMapping = Item<EC2NodeClassSpec['blockDeviceMappings']>

/** Returns the size in Go's format: 1024Gi becomes 1Ti. */
const canonicalSize = (size: string): string =>
  formatQuantity(parseQuantity(size), size.endsWith('i') ? 'BinarySI' : 'DecimalSI')

const hashVolume = (ebs: NonNullable<BlockDeviceMapping['ebs']>): bigint =>
  hashStruct('BlockDevice', [
    ['DeleteOnTermination', flag(ebs.deleteOnTermination)],
    ['Encrypted', flag(ebs.encrypted)],
    ['IOPS', int64(ebs.iops)],
    ['KMSKeyID', text(ebs.kmsKeyID)],
    ['SnapshotID', text(ebs.snapshotID)],
    ['Throughput', int64(ebs.throughput)],
    ['VolumeInitializationRate', int32(ebs.volumeInitializationRate)],
    ['VolumeSize', hashGiven(ebs.volumeSize, (size) => hashText(canonicalSize(size)))],
    ['VolumeType', text(ebs.volumeType)],
  ])

const hashMapping = (mapping: BlockDeviceMapping): bigint =>
  hashStruct('BlockDeviceMapping', [
    ['DeviceName', text(mapping.deviceName)],
    ['EBS', hashGiven(mapping.ebs, hashVolume)],
    ['RootVolume', mapping.rootVolume === true ? hashBoolean(true) : undefined],
  ])

const hashInterface = (each: Item<EC2NodeClassSpec['networkInterfaces']>): bigint =>
  hashStruct('NetworkInterface', [
    ['NetworkCardIndex', plainInt32(each.networkCardIndex)],
    ['DeviceIndex', plainInt32(each.deviceIndex)],
    ['InterfaceType', plainText(each.interfaceType)],
  ])

/**
 * Hashes the spec without selectors, prefix count, family and kubelet settings. Drift compares these in other ways, or they have a separate
 * hash.
 */
const hashSpec = (spec: EC2NodeClassSpec): bigint =>
  hashStruct('EC2NodeClassSpec', [
    [
      'PlacementGroupSelector',
      hashGiven(spec.placementGroupSelector, ({ name, id }) =>
        hashStruct('PlacementGroupSelector', [
          ['Name', plainText(name)],
          ['ID', plainText(id)],
        ]),
      ),
    ],
    ['AssociatePublicIPAddress', flag(spec.associatePublicIPAddress)],
    ['UserData', text(spec.userData)],
    ['Role', plainText(spec.role)],
    ['InstanceProfile', text(spec.instanceProfile)],
    ['Tags', hashMap(spec.tags)],
    ['BlockDeviceMappings', hashSet(spec.blockDeviceMappings, hashMapping)],
    ['InstanceStorePolicy', text(spec.instanceStorePolicy)],
    ['NetworkInterfaces', hashSet(spec.networkInterfaces, hashInterface)],
    ['DetailedMonitoring', flag(spec.detailedMonitoring)],
    [
      'MetadataOptions',
      hashGiven(spec.metadataOptions, (options) =>
        hashStruct('MetadataOptions', [
          ['HTTPEndpoint', text(options.httpEndpoint)],
          ['HTTPProtocolIPv6', text(options.httpProtocolIPv6)],
          ['HTTPPutResponseHopLimit', int64(options.httpPutResponseHopLimit)],
          ['HTTPTokens', text(options.httpTokens)],
        ]),
      ),
    ],
    [
      'ConnectionTracking',
      hashGiven(spec.connectionTracking, (tracking) =>
        hashStruct('ConnectionTracking', [
          ['TCPEstablishedTimeout', int32(tracking.tcpEstablishedTimeout)],
          ['UDPStreamTimeout', int32(tracking.udpStreamTimeout)],
          ['UDPTimeout', int32(tracking.udpTimeout)],
        ]),
      ),
    ],
    ['Context', text(spec.context)],
    [
      'CPUOptions',
      hashGiven(spec.cpuOptions, (options) =>
        hashStruct('CPUOptions', [['NestedVirtualization', text(options.nestedVirtualization)]]),
      ),
    ],
  ])

const byUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const sorted = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => byUtf8(a, b))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${sorted(inner)}`).join(',')}}`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** Returns the kubelet settings in Go's format: compact JSON with sorted keys, and `null` if there are none. */
export const kubeletText = (kubelet: EC2NodeClassSpec['kubelet']): string =>
  kubelet === undefined || Object.keys(kubelet).length === 0
    ? 'null'
    : sorted(kubelet).replaceAll(/[<>&\u2028\u2029]/g, (character) => ownValue(ESCAPES, character) ?? character)

/** Returns the hash, in decimal, of the node class fields from which instances are launched. If it changes, the nodes have drifted. */
export const nodeClassHash = (nodeClass: Pick<EC2NodeClass, 'spec'>, inputs: NodeClassHashInputs): string =>
  (
    hashSpec(nodeClass.spec) ^
    hashText(nodeClassAmiFamily(nodeClass.spec)) ^
    hashText(inputs.caBundle) ^
    hashText(kubeletText(nodeClass.spec.kubelet))
  ).toString()
