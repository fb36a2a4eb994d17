import type { ClassDriftRule } from './class-drift-rule.ts'

const GRACE_PERIODS = ['kubeletConfiguration.evictionSoftGracePeriod']

/**
 * Providers that Kerf does not have, by kind and group. Each rule is held to the answers of the provider's own code
 * (`test/editor/class-edits`); a provider without a rule gets no certain word.
 */
export const otherDriftRules: Readonly<Record<string, ClassDriftRule>> = {
  'GCENodeClass.karpenter.k8s.gcp': {
    isHashed: true,
    selectors: ['imageSelectorTerms'],
    unhashed: [],
    zeroIsNone: [
      'autoGPUTaint',
      'disks.boot',
      'disks.category',
      'disks.kmsKeyName',
      'disks.kmsKeyServiceAccount',
      'disks.secondaryBootImage',
      'disks.secondaryBootMode',
      'disks.sizeGiB',
      'gpuDriverVersion',
      'networkConfig.additionalNetworkInterfaces.network',
      'networkConfig.subnetwork',
      'serviceAccount',
    ],
    durations: GRACE_PERIODS,
    imageFamily: {
      field: 'imageFamily',
      isFieldHashed: true,
      terms: 'imageSelectorTerms',
      aliases: { ContainerOptimizedOS: 'ContainerOptimizedOS', Ubuntu: 'Ubuntu' },
      termFamilies: { ContainerOptimizedOS: 'ContainerOptimizedOS', Ubuntu2204: 'Ubuntu', Ubuntu2404: 'Ubuntu' },
      otherwise: 'Custom',
    },
  },
  'ECSNodeClass.karpenter.k8s.alibabacloud': {
    isHashed: true,
    selectors: ['securityGroupSelectorTerms', 'vSwitchSelectorTerms'],
    // No node is compared with the image that its class selects now.
    unhashed: ['imageSelectorTerms'],
    zeroIsNone: [
      'formatDataDisk',
      'keyPairName',
      'password',
      'passwordInherit',
      'resourceGroupId',
      'vSwitchSelectionPolicy',
    ],
    quantities: ['dataDisks.volumeSize', 'systemDisk.volumeSize'],
    durations: GRACE_PERIODS,
  },
  // It writes a hash of the class to claims and compares it with nothing; images, networks and groups are compared.
  'OciNodeClass.karpenter.k8s.oracle': {
    isHashed: false,
    selectors: ['imageFamily', 'imageSelector', 'securityGroupSelector', 'subnetSelector', 'vcnId'],
    unhashed: [],
  },
  'OCINodeClass.oci.oraclecloud.com': {
    isHashed: true,
    selectors: [
      'capacityReservationConfigs',
      'clusterPlacementGroupConfigs',
      'launchOptions',
      'networkConfig.primaryVnicConfig.networkSecurityGroupConfigs',
      'networkConfig.primaryVnicConfig.subnetConfig',
      'networkConfig.secondaryVnicConfigs.networkSecurityGroupConfigs',
      'networkConfig.secondaryVnicConfigs.subnetConfig',
      'volumeConfig',
    ],
    unhashed: [
      'computeClusterConfig',
      'networkConfig.primaryVnicConfig.vnicDisplayname',
      'networkConfig.secondaryVnicConfigs.vnicDisplayname',
    ],
    emptyIsNone: ['networkConfig.secondaryVnicConfigs', 'shapeConfigs'],
    durations: ['kubeletConfig.evictionSoftGracePeriod'],
  },
  'ProxmoxNodeClass.karpenter.proxmox.sinextra.dev': {
    isHashed: true,
    selectors: [],
    // The last three are changed in place.
    unhashed: ['metadataOptions', 'resourcePool', 'securityGroups', 'tags'],
    zeroIsNone: [
      'bootDevice.storage',
      'kubeletConfiguration.cpuManagerPolicy',
      'kubeletConfiguration.topologyManagerPolicy',
      'kubeletConfiguration.topologyManagerScope',
      'placementStrategy.zoneBalance',
      'region',
    ],
    quantityUnits: ['bootDevice.size'],
    durations: ['kubeletConfiguration.cpuCFSQuotaPeriod', 'kubeletConfiguration.shutdownGracePeriod'],
  },
  // Nothing is hashed; a node drifts whose type is not offered any more.
  'BizflyCloudNodeClass.karpenter.bizflycloud.com': {
    isHashed: false,
    selectors: ['cpuVendors', 'diskTypes', 'nodeCategories', 'zones'],
    unhashed: [],
  },
}
