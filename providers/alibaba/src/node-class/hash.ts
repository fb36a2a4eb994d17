import {
  formatQuantity,
  hashBoolean,
  hashField,
  hashGiven,
  hashMap,
  hashSet,
  hashStruct,
  hashText,
  tryParseQuantity,
} from '@kerf/apis'
import { kubeletHashFields } from '@kerf/provider-kit'
import type { ECSNodeClass, ECSNodeClassSpec } from './ecs-node-class.ts'

/**
 * The version of the hash below. NodeClaims with another version get the new hash instead of drifting
 * (`providers/alibaba/docs/spec/alibaba.md#hash`). Version and hash must equal upstream's. Otherwise all nodes would drift after a
 * migration from Karpenter.
 */
export const NODE_CLASS_HASH_VERSION = 'v3'

const { text, int32, plainText, plainFlag } = hashField

type Kubelet = NonNullable<ECSNodeClassSpec['kubeletConfiguration']>
type SystemDisk = NonNullable<ECSNodeClassSpec['systemDisk']>
type DataDisk = NonNullable<ECSNodeClassSpec['dataDisks']>[number]

const hashKubelet = (kubelet: Kubelet): bigint =>
  hashStruct('KubeletConfiguration', [
    ['ClusterDNS', hashSet(kubelet.clusterDNS, hashText)],
    ...kubeletHashFields(kubelet),
    ['CPUCFSQuota', hashGiven(kubelet.cpuCFSQuota, hashBoolean)],
  ])

/** Hashes the size in Go's canonical format, in which 1024Gi becomes 1Ti. */
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
    ['VolumeSize', hashGiven(volumeSize ?? (size === undefined ? undefined : `${size}Gi`), hashSize)],
    ['Size', int32(size)],
    ['PerformanceLevel', text(performanceLevel)],
  ])

const hashDataDisk = ({ volumeSize, device }: DataDisk): bigint =>
  hashStruct('DataDisk', [
    ['VolumeSize', hashGiven(volumeSize, hashSize)],
    ['Device', text(device)],
  ])

/** Returns the hash, in decimal, of the node class fields that affect launched instances. Excludes the three lists of selector terms. */
export const nodeClassHash = ({ spec }: Pick<ECSNodeClass, 'spec'>): string =>
  hashStruct('ECSNodeClassSpec', [
    ['VSwitchSelectionPolicy', plainText(spec?.vSwitchSelectionPolicy)],
    ['KubeletConfiguration', hashGiven(spec?.kubeletConfiguration, hashKubelet)],
    ['SystemDisk', hashGiven(spec?.systemDisk, hashSystemDisk)],
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
