import type { ClassDriftRule } from './class-drift-rule.ts'

const GRACE_PERIODS = ['kubeletConfiguration.evictionSoftGracePeriod']

/**
 * The drift rules of providers that Kerf does not include, by kind and group. Each rule was compared
 * with the provider's own code (`tests/integration/editor/class-edits`). For a provider without a rule, the effect is shown as uncertain.
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
    // Nodes are not compared with the image that their class selects now.
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
  // The provider writes a hash of the class to claims but does not compare it. It compares images, networks and groups.
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
  // Nothing is hashed. A node drifts if its type is not offered any more.
  'BizflyCloudNodeClass.karpenter.bizflycloud.com': {
    isHashed: false,
    selectors: ['cpuVendors', 'diskTypes', 'nodeCategories', 'zones'],
    unhashed: [],
  },
}
