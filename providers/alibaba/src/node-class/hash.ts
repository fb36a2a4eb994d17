import {
  DurationError,
  type FieldHash,
  formatQuantity,
  hashBoolean,
  hashEntries,
  hashInt32,
  hashInteger,
  hashMap,
  hashSet,
  hashStruct,
  hashText,
  parseDurationNanoseconds,
  tryParseQuantity,
} from '@kerf/apis'
import type { ECSNodeClass, ECSNodeClassSpec } from './ecs-node-class.ts'

/**
 * The version of the hash below. NodeClaims with another version get the new hash instead of drifting
 * (`providers/alibaba/docs/spec/alibaba.md#hash`). Version and hash equal upstream's, otherwise all nodes of a cluster that Kerf takes over
 * would drift.
 */
export const NODE_CLASS_HASH_VERSION = 'v3'

// A field that is a pointer in Go is part of the hash even if its value is zero. A field with a plain value is not part of the hash if it
// is zero.
const given = <T>(value: T | undefined, hash: (value: T) => bigint): FieldHash =>
  value === undefined ? undefined : hash(value)
const text = (value: string | undefined): FieldHash => given(value, hashText)
const int32 = (value: number | undefined): FieldHash => given(value, hashInt32)
const plainText = (value: string | undefined): FieldHash => (value === '' ? undefined : text(value))
const plainFlag = (value: boolean | undefined): FieldHash => (value === true ? hashBoolean(true) : undefined)

type Kubelet = NonNullable<ECSNodeClassSpec['kubeletConfiguration']>
type SystemDisk = NonNullable<ECSNodeClassSpec['systemDisk']>
type DataDisk = NonNullable<ECSNodeClassSpec['dataDisks']>[number]

/**
 * Hashes a grace period by its length. If the text is not a duration, hashes the text unchanged, because upstream cannot read such a node
 * class.
 */
const hashPeriod = (period: string): bigint => {
  try {
    const nanoseconds = parseDurationNanoseconds(period)
    return hashStruct('Duration', [['Duration', nanoseconds === 0n ? undefined : hashInteger(nanoseconds)]])
  } catch (error) {
    if (error instanceof DurationError) return hashText(period)
    throw error
  }
}

const hashKubelet = (kubelet: Kubelet): bigint =>
  hashStruct('KubeletConfiguration', [
    ['ClusterDNS', hashSet(kubelet.clusterDNS, hashText)],
    ['MaxPods', int32(kubelet.maxPods)],
    ['PodsPerCore', int32(kubelet.podsPerCore)],
    ['SystemReserved', hashMap(kubelet.systemReserved)],
    ['KubeReserved', hashMap(kubelet.kubeReserved)],
    ['EvictionHard', hashMap(kubelet.evictionHard)],
    ['EvictionSoft', hashMap(kubelet.evictionSoft)],
    ['EvictionSoftGracePeriod', hashEntries(kubelet.evictionSoftGracePeriod, hashPeriod)],
    ['EvictionMaxPodGracePeriod', int32(kubelet.evictionMaxPodGracePeriod)],
    ['ImageGCHighThresholdPercent', int32(kubelet.imageGCHighThresholdPercent)],
    ['ImageGCLowThresholdPercent', int32(kubelet.imageGCLowThresholdPercent)],
    ['CPUCFSQuota', given(kubelet.cpuCFSQuota, hashBoolean)],
  ])

/** Returns the size in Go's format, in which 1024Gi is 1Ti. */
const hashSize = (size: string): bigint => {
  const amount = tryParseQuantity(size)
  return hashText(amount === undefined ? size : formatQuantity(amount, size.endsWith('i') ? 'BinarySI' : 'DecimalSI'))
}

/**
 * Hashes the system disk. If only the deprecated `size` is set, also hashes its value as `volumeSize`: upstream's controller copies it
 * there, and the copy must not cause drift.
 */
const hashSystemDisk = ({ categories, volumeSize, size, performanceLevel }: SystemDisk): bigint =>
  hashStruct('SystemDisk', [
    ['Categories', hashSet(categories, hashText)],
    ['VolumeSize', given(volumeSize ?? (size === undefined ? undefined : `${size}Gi`), hashSize)],
    ['Size', int32(size)],
    ['PerformanceLevel', text(performanceLevel)],
  ])

const hashDataDisk = ({ volumeSize, device }: DataDisk): bigint =>
  hashStruct('DataDisk', [
    ['VolumeSize', given(volumeSize, hashSize)],
    ['Device', text(device)],
  ])

/**
 * Returns the hash of the node class fields that instances are launched from, in decimal. The three lists of selector terms are not part of
 * the hash.
 */
export const nodeClassHash = ({ spec }: Pick<ECSNodeClass, 'spec'>): string =>
  hashStruct('ECSNodeClassSpec', [
    ['VSwitchSelectionPolicy', plainText(spec?.vSwitchSelectionPolicy)],
    ['KubeletConfiguration', given(spec?.kubeletConfiguration, hashKubelet)],
    ['SystemDisk', given(spec?.systemDisk, hashSystemDisk)],
    ['DataDisks', hashSet(spec?.dataDisks, hashDataDisk)],
    ['DataDisksCategories', hashSet(spec?.dataDiskCategories, hashText)],
    ['FormatDataDisk', plainFlag(spec?.formatDataDisk)],
    ['Tags', hashMap(spec?.tags)],
    ['ResourceGroupID', plainText(spec?.resourceGroupId)],
    ['UserData', text(spec?.userData)],
    ['Password', plainText(spec?.password)],
    ['KeyPairName', plainText(spec?.keyPairName)],
    ['PasswordInherit', plainFlag(spec?.passwordInherit)],
  ]).toString()
