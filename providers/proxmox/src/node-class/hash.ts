import {
  type FieldHash,
  hashBoolean,
  hashInt32,
  hashInteger,
  hashSet,
  hashStruct,
  hashText,
  parseDurationNanoseconds,
} from '@kerf/apis'
import type { ProxmoxNodeClass, ProxmoxNodeClassSpec } from './proxmox-node-class.ts'
import type { ProxmoxUnmanagedTemplate } from './unmanaged-template.ts'

/**
 * The version of the hashes below. Version and hashes equal upstream's (`providers/proxmox/docs/spec/proxmox.md#hashes`), otherwise all nodes
 * of a cluster that Kerf takes over would drift.
 */
export const NODE_CLASS_HASH_VERSION = 'v1'

type Kubelet = NonNullable<ProxmoxNodeClassSpec['kubeletConfiguration']>

const given = <T>(value: T | undefined, hash: (value: T) => bigint): FieldHash =>
  value === undefined ? undefined : hash(value)
/** A field with a plain value in Go is not part of the hash if it is zero. */
const plain = (value: string | undefined): FieldHash =>
  value === undefined || value === '' ? undefined : hashText(value)

const duration = (text: string): bigint => {
  const nanoseconds = parseDurationNanoseconds(text)
  return hashStruct('Duration', [['Duration', nanoseconds === 0n ? undefined : hashInteger(nanoseconds)]])
}

const hashKubelet = (kubelet: Kubelet): bigint =>
  hashStruct('KubeletConfiguration', [
    ['CPUManagerPolicy', plain(kubelet.cpuManagerPolicy)],
    ['CPUCFSQuota', given(kubelet.cpuCFSQuota, hashBoolean)],
    ['CPUCFSQuotaPeriod', given(kubelet.cpuCFSQuotaPeriod, duration)],
    ['TopologyManagerPolicy', plain(kubelet.topologyManagerPolicy)],
    ['TopologyManagerScope', plain(kubelet.topologyManagerScope)],
    ['ImageGCHighThresholdPercent', given(kubelet.imageGCHighThresholdPercent, hashInt32)],
    ['ImageGCLowThresholdPercent', given(kubelet.imageGCLowThresholdPercent, hashInt32)],
    ['ShutdownGracePeriod', given(kubelet.shutdownGracePeriod, duration)],
    ['AllowedUnsafeSysctls', hashSet(kubelet.allowedUnsafeSysctls, hashText)],
    ['ClusterDNS', hashSet(kubelet.clusterDNS, hashText)],
    ['MaxPods', given(kubelet.maxPods, hashInt32)],
    ['FailSwapOn', given(kubelet.failSwapOn, hashBoolean)],
  ])

/** Upstream hashes only the public field of a quantity: whether its unit is binary or decimal. */
const sizeHash = (size: string): bigint =>
  hashStruct('Quantity', [['Format', hashText(size.endsWith('i') ? 'BinarySI' : 'DecimalSI')]])

/** Returns the hash of the class fields that guests are launched from, in decimal. A larger disk with the same kind of unit does not change it. */
export const nodeClassHash = ({ spec }: Pick<ProxmoxNodeClass, 'spec'>): string =>
  hashStruct('ProxmoxNodeClassSpec', [
    ['Region', plain(spec?.region)],
    [
      'PlacementStrategy',
      given(spec?.placementStrategy, ({ zoneBalance }) =>
        hashStruct('PlacementStrategy', [['ZoneBalance', plain(zoneBalance)]]),
      ),
    ],
    [
      'InstanceTemplateRef',
      given(spec?.instanceTemplateRef, ({ kind, name }) =>
        hashStruct('InstanceTemplateClassReference', [
          ['Kind', plain(kind)],
          ['Name', plain(name)],
        ]),
      ),
    ],
    ['KubeletConfiguration', given(spec?.kubeletConfiguration, hashKubelet)],
    [
      'BootDevice',
      given(spec?.bootDevice, ({ size, storage }) =>
        hashStruct('BlockDevice', [
          ['Size', given(size, sizeHash)],
          ['Storage', plain(storage)],
        ]),
      ),
    ],
  ]).toString()

/** Returns the hash of the fields that Kerf changes on running guests. */
export const inPlaceHash = ({ spec }: Pick<ProxmoxNodeClass, 'spec'>): string =>
  hashStruct('inPlaceUpdateFields', [
    [
      'SecurityGroups',
      hashSet(spec?.securityGroups, ({ interface: iface, name }) =>
        hashStruct('SecurityGroups', [
          ['Interface', plain(iface)],
          ['Name', plain(name)],
        ]),
      ),
    ],
    ['Tags', hashSet(spec?.tags, hashText)],
    ['ResourcePool', plain(spec?.resourcePool)],
  ]).toString()

/** Returns the hash of an unmanaged template object. */
export const unmanagedTemplateHash = ({ spec }: Pick<ProxmoxUnmanagedTemplate, 'spec'>): string =>
  hashStruct('ProxmoxUnmanagedTemplateSpec', [
    ['Region', plain(spec?.region)],
    ['TemplateName', plain(spec?.templateName)],
    ['Tags', hashSet(spec?.tags, hashText)],
  ]).toString()
