import { hashField, hashGiven, hashMap, hashSet, hashStruct, hashText } from '@kerf/apis'
import { kubeletHashFields } from '@kerf/provider-kit'
import type { GCENodeClass, GCENodeClassSpec } from './gce-node-class.ts'
import { classImageFamily } from './image-family.ts'

/**
 * The version of the hash below. NodeClaims with another version get the new hash instead of drifting
 * (`providers/gcp/docs/spec/gcp.md#hash`). Version and hash must equal upstream's. Otherwise all nodes would drift after a migration from
 * Karpenter.
 */
export const NODE_CLASS_HASH_VERSION = 'v4'

const { text, flag, int32, int64, plainText, plainFlag } = hashField

type Item<List> = NonNullable<List> extends readonly (infer T)[] ? T : never
type Kubelet = NonNullable<GCENodeClassSpec['kubeletConfiguration']>
type NetworkConfig = NonNullable<GCENodeClassSpec['networkConfig']>

const hashDisk = (disk: Item<GCENodeClassSpec['disks']>): bigint =>
  hashStruct('Disk', [
    ['SizeGiB', disk.sizeGiB === 0 ? undefined : int32(disk.sizeGiB)],
    ['Category', plainText(disk.category)],
    ['Boot', plainFlag(disk.boot)],
    ['SecondaryBootImage', plainText(disk.secondaryBootImage)],
    ['SecondaryBootMode', plainText(disk.secondaryBootMode)],
    ['KMSKeyName', plainText(disk.kmsKeyName)],
    ['KMSKeyServiceAccount', plainText(disk.kmsKeyServiceAccount)],
    ['ProvisionedIOPS', int64(disk.provisionedIOPS)],
    ['ProvisionedThroughput', int64(disk.provisionedThroughput)],
  ])

const hashKubelet = (kubelet: Kubelet): bigint =>
  hashStruct('KubeletConfiguration', [
    ['ClusterDNS', hashSet(kubelet.clusterDNS, hashText)],
    ...kubeletHashFields(kubelet),
    ['CPUCFSQuota', flag(kubelet.cpuCFSQuota)],
  ])

const hashShielded = (config: NonNullable<GCENodeClassSpec['shieldedInstanceConfig']>): bigint =>
  hashStruct('ShieldedInstanceConfig', [
    ['EnableSecureBoot', flag(config.enableSecureBoot)],
    ['EnableVtpm', flag(config.enableVtpm)],
    ['EnableIntegrityMonitoring', flag(config.enableIntegrityMonitoring)],
  ])

const hashInterface = ({ network, subnetwork }: Item<NetworkConfig['additionalNetworkInterfaces']>): bigint =>
  hashStruct('AdditionalNetworkInterface', [
    ['Network', plainText(network)],
    ['Subnetwork', plainText(subnetwork)],
  ])

const hashNetwork = (config: NetworkConfig): bigint =>
  hashStruct('NetworkConfig', [
    ['EnablePrivateNodes', flag(config.enablePrivateNodes)],
    ['Subnetwork', plainText(config.subnetwork)],
    ['AdditionalNetworkInterfaces', hashSet(config.additionalNetworkInterfaces, hashInterface)],
  ])

const hashSpec = (spec: Partial<GCENodeClassSpec>): bigint =>
  hashStruct('GCENodeClassSpec', [
    ['ServiceAccount', plainText(spec.serviceAccount)],
    ['Disks', hashSet(spec.disks, hashDisk)],
    ['ImageFamily', text(spec.imageFamily)],
    ['SubnetRangeName', text(spec.subnetRangeName)],
    ['KubeletConfiguration', hashGiven(spec.kubeletConfiguration, hashKubelet)],
    ['Labels', hashMap(spec.labels)],
    ['Metadata', hashMap(spec.metadata)],
    ['NetworkTags', hashSet(spec.networkTags, hashText)],
    ['ShieldedInstanceConfig', hashGiven(spec.shieldedInstanceConfig, hashShielded)],
    ['ConfidentialInstanceType', text(spec.confidentialInstanceType)],
    ['NetworkConfig', hashGiven(spec.networkConfig, hashNetwork)],
    ['AutoGPUTaint', plainFlag(spec.autoGPUTaint)],
    ['GPUDriverVersion', plainText(spec.gpuDriverVersion)],
  ])

/**
 * Returns the node class's hash in decimal. It covers the image family, and the spec without the image selector terms. Upstream hashes a
 * list of these two values, and treats lists as sets.
 */
export const nodeClassHash = (nodeClass: Pick<GCENodeClass, 'spec'>): string =>
  (hashSpec(nodeClass.spec ?? {}) ^ hashText(classImageFamily(nodeClass))).toString()
