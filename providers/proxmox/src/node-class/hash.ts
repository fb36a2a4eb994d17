import { hashBoolean, hashDuration, hashField, hashGiven, hashInt32, hashSet, hashStruct, hashText } from '@kerf/apis'
import type { ProxmoxNodeClass, ProxmoxNodeClassSpec } from './proxmox-node-class.ts'
import type { ProxmoxUnmanagedTemplate } from './unmanaged-template.ts'

/**
 * The version of the hashes below. Version and hashes must equal upstream's (`providers/proxmox/docs/spec/proxmox.md#hashes`). Otherwise
 * all nodes would drift after a migration from Karpenter.
 */
export const NODE_CLASS_HASH_VERSION = 'v1'

type Kubelet = NonNullable<ProxmoxNodeClassSpec['kubeletConfiguration']>

const { plainText } = hashField

const hashKubelet = (kubelet: Kubelet): bigint =>
  hashStruct('KubeletConfiguration', [
    ['CPUManagerPolicy', plainText(kubelet.cpuManagerPolicy)],
    ['CPUCFSQuota', hashGiven(kubelet.cpuCFSQuota, hashBoolean)],
    ['CPUCFSQuotaPeriod', hashGiven(kubelet.cpuCFSQuotaPeriod, hashDuration)],
    ['TopologyManagerPolicy', plainText(kubelet.topologyManagerPolicy)],
    ['TopologyManagerScope', plainText(kubelet.topologyManagerScope)],
    ['ImageGCHighThresholdPercent', hashGiven(kubelet.imageGCHighThresholdPercent, hashInt32)],
    ['ImageGCLowThresholdPercent', hashGiven(kubelet.imageGCLowThresholdPercent, hashInt32)],
    ['ShutdownGracePeriod', hashGiven(kubelet.shutdownGracePeriod, hashDuration)],
    ['AllowedUnsafeSysctls', hashSet(kubelet.allowedUnsafeSysctls, hashText)],
    ['ClusterDNS', hashSet(kubelet.clusterDNS, hashText)],
    ['MaxPods', hashGiven(kubelet.maxPods, hashInt32)],
    ['FailSwapOn', hashGiven(kubelet.failSwapOn, hashBoolean)],
  ])

/** Upstream hashes only the exported field of a quantity, which is its format: binary or decimal. */
const sizeHash = (size: string | number): bigint =>
  hashStruct('Quantity', [['Format', hashText(String(size).endsWith('i') ? 'BinarySI' : 'DecimalSI')]])

/**
 * Returns the hash, in decimal, of the class fields that affect launched guests. A larger disk with the same kind of unit has the same
 * hash.
 */
export const nodeClassHash = ({ spec }: Pick<ProxmoxNodeClass, 'spec'>): string =>
  hashStruct('ProxmoxNodeClassSpec', [
    ['Region', plainText(spec?.region)],
    [
      'PlacementStrategy',
      hashGiven(spec?.placementStrategy, ({ zoneBalance }) =>
        hashStruct('PlacementStrategy', [['ZoneBalance', plainText(zoneBalance)]]),
      ),
    ],
    [
      'InstanceTemplateRef',
      hashGiven(spec?.instanceTemplateRef, ({ kind, name }) =>
        hashStruct('InstanceTemplateClassReference', [
          ['Kind', plainText(kind)],
          ['Name', plainText(name)],
        ]),
      ),
    ],
    ['KubeletConfiguration', hashGiven(spec?.kubeletConfiguration, hashKubelet)],
    [
      'BootDevice',
      hashGiven(spec?.bootDevice, ({ size, storage }) =>
        hashStruct('BlockDevice', [
          ['Size', hashGiven(size, sizeHash)],
          ['Storage', plainText(storage)],
        ]),
      ),
    ],
  ]).toString()

/** Returns the hash of the fields that Kerf updates on running guests. */
export const inPlaceHash = ({ spec }: Pick<ProxmoxNodeClass, 'spec'>): string =>
  hashStruct('inPlaceUpdateFields', [
    [
      'SecurityGroups',
      hashSet(spec?.securityGroups, ({ interface: iface, name }) =>
        hashStruct('SecurityGroups', [
          ['Interface', plainText(iface)],
          ['Name', plainText(name)],
        ]),
      ),
    ],
    ['Tags', hashSet(spec?.tags, hashText)],
    ['ResourcePool', plainText(spec?.resourcePool)],
  ]).toString()

/** Returns the hash of an unmanaged template object. */
export const unmanagedTemplateHash = ({ spec }: Pick<ProxmoxUnmanagedTemplate, 'spec'>): string =>
  hashStruct('ProxmoxUnmanagedTemplateSpec', [
    ['Region', plainText(spec?.region)],
    ['TemplateName', plainText(spec?.templateName)],
    ['Tags', hashSet(spec?.tags, hashText)],
  ]).toString()
