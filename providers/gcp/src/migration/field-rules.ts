import { asNumber } from '@kerf/provider-kit/documents'
import { desiredSize, type FieldRule, type FieldRules, largestSize, stateFields } from '@kerf/provider-kit/migration'

const classField = (field: string): FieldRule => ({ to: `GCENodeClass spec.${field}` })
const NOT_IN_CLASS: FieldRule = { because: 'a GCENodeClass has no such field' }
const AS_SOURCE: FieldRule = { because: 'nodes of Kerf get it from the node pool that stays' }
const onlyIf = (isMeant: (value: unknown) => boolean, rule: FieldRule) => (value: unknown) =>
  isMeant(value) ? rule : undefined
const isTrue = (value: unknown): boolean => value === true
const isPositive = (value: unknown): boolean => (asNumber(value) ?? 0) > 0

/** How each field of a node pool is migrated, by its name in GKE's API (`NodePool` of container.googleapis.com/v1). */
export const poolRules: FieldRules = {
  ...stateFields('name etag selfLink status statusMessage conditions instanceGroupUrls updateInfo podIpv4CidrSize'),
  ...stateFields('kubeletCertInfo'),
  version: { because: 'nodes of Kerf have the version of the images that spec.imageSelectorTerms selects' },
  initialNodeCount: desiredSize,
  locations: { to: 'NodePool requirement topology.kubernetes.io/zone' },
  maxPodsConstraint: classField('kubeletConfiguration.maxPods'),
  management: { because: 'Kerf replaces nodes whose image has changed, and unhealthy nodes (feature gate NodeRepair)' },
  upgradeSettings: { to: 'NodePool budget for Drifted', because: 'maxUnavailable; a replacement always comes first' },
  nodeDrainConfig: NOT_IN_CLASS,
  maintenancePolicy: { because: 'NodePool budgets with a schedule say when nodes may be replaced' },
  placementPolicy: NOT_IN_CLASS,
  queuedProvisioning: onlyIf((value) => value !== undefined, NOT_IN_CLASS),
  bestEffortProvisioning: { because: 'a NodePool has the nodes that its pods need' },
  autopilotConfig: { because: 'GKE runs the nodes of Autopilot itself' },
}

export const autoscalingRules: FieldRules = {
  enabled: { to: 'NodePool', because: 'a NodePool grows and shrinks by itself' },
  minNodeCount: onlyIf(isPositive, { because: 'a NodePool has the nodes that its pods need' }),
  totalMinNodeCount: onlyIf(isPositive, { because: 'a NodePool has the nodes that its pods need' }),
  maxNodeCount: {
    to: 'NodePool spec.limits.nodes',
    because: 'GKE counts it for each zone, the NodePool for all zones',
  },
  totalMaxNodeCount: largestSize,
  locationPolicy: { because: 'Kerf chooses the cheapest zone; topology spread constraints of pods balance zones' },
  autoprovisioned: { because: 'GKE created the pool for pods; one NodePool replaces all such pools' },
}

export const networkRules: FieldRules = {
  ...stateFields('network podIpv4CidrBlock podIpv4RangeUtilization networkTierConfig createPodRange'),
  enablePrivateNodes: classField('networkConfig.enablePrivateNodes'),
  podRange: classField('subnetRangeName'),
  subnetwork: classField('networkConfig.subnetwork'),
  additionalNodeNetworkConfigs: classField('networkConfig.additionalNetworkInterfaces'),
  additionalPodNetworkConfigs: NOT_IN_CLASS,
  networkPerformanceConfig: NOT_IN_CLASS,
  acceleratorNetworkProfile: NOT_IN_CLASS,
  datapathProvider: AS_SOURCE,
  podCidrOverprovisionConfig: {
    because: 'a node of Kerf gets twice as many addresses as pods, as with GKE',
  },
}

export const configRules: FieldRules = {
  machineType: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  spot: onlyIf(isTrue, { to: 'NodePool requirement karpenter.sh/capacity-type' }),
  preemptible: onlyIf(isTrue, {
    to: 'NodePool requirement karpenter.sh/capacity-type',
    because: 'a spot instance, which unlike a preemptible one has no limit of 24 hours',
  }),
  imageType: classField('imageSelectorTerms'),
  diskSizeGb: classField('disks'),
  diskType: classField('disks'),
  bootDisk: classField('disks'),
  bootDiskKmsKey: classField('disks'),
  secondaryBootDisks: classField('disks'),
  localSsdCount: onlyIf(isPositive, classField('disks')),
  localNvmeSsdBlockConfig: classField('disks'),
  ephemeralStorageLocalSsdConfig: {
    because: 'local SSDs of a GCENodeClass are block devices; the ephemeral storage of a node is its boot disk',
  },
  labels: { to: 'NodePool spec.template.metadata.labels' },
  taints: { to: 'NodePool spec.template.spec.taints' },
  taintConfig: NOT_IN_CLASS,
  tags: classField('networkTags'),
  resourceLabels: classField('labels'),
  metadata: { to: 'GCENodeClass spec.metadata', because: 'without the items that GKE needs for itself' },
  serviceAccount: onlyIf((value) => value !== 'default', classField('serviceAccount')),
  oauthScopes: { because: 'nodes of Kerf have the scope cloud-platform: the roles of their service account decide' },
  shieldedInstanceConfig: classField('shieldedInstanceConfig'),
  confidentialNodes: classField('confidentialInstanceType'),
  kubeletConfig: { to: 'GCENodeClass spec.kubeletConfiguration', because: 'see its parts' },
  accelerators: {
    to: 'NodePool requirement node.kubernetes.io/instance-type',
    because: 'the GPUs belong to the machine type; the driver becomes gpuDriverVersion',
  },
  workloadMetadataConfig: AS_SOURCE,
  loggingConfig: AS_SOURCE,
  containerdConfig: AS_SOURCE,
  windowsNodeConfig: { because: 'Kerf launches no Windows nodes on Google Cloud' },
  effectiveCgroupMode: { because: 'identity or state of the object, not a setting' },
  linuxNodeConfig: NOT_IN_CLASS,
  gcfsConfig: onlyIf((value) => JSON.stringify(value).includes('true'), AS_SOURCE),
  gvnic: onlyIf((value) => JSON.stringify(value).includes('true'), NOT_IN_CLASS),
  advancedMachineFeatures: NOT_IN_CLASS,
  minCpuPlatform: NOT_IN_CLASS,
  reservationAffinity: { because: 'Kerf does not launch into reservations on Google Cloud' },
  sandboxConfig: NOT_IN_CLASS,
  nodeGroup: NOT_IN_CLASS,
  soleTenantConfig: NOT_IN_CLASS,
  resourceManagerTags: NOT_IN_CLASS,
  storagePools: NOT_IN_CLASS,
  fastSocket: NOT_IN_CLASS,
  flexStart: NOT_IN_CLASS,
  gpuDirectConfig: NOT_IN_CLASS,
  maxRunDuration: { to: 'NodePool spec.template.spec.expireAfter', because: 'set it yourself: it is not converted' },
  enableConfidentialStorage: onlyIf(isTrue, NOT_IN_CLASS),
  localSsdEncryptionMode: NOT_IN_CLASS,
  nodeImageConfig: NOT_IN_CLASS,
  secondaryBootDiskUpdateStrategy: NOT_IN_CLASS,
  consolidationDelay: {
    to: 'NodePool spec.disruption.consolidateAfter',
    because: 'set it yourself: it is not converted',
  },
}

export const kubeletRules: FieldRules = {
  cpuCfsQuota: classField('kubeletConfiguration.cpuCFSQuota'),
  imageGcHighThresholdPercent: classField('kubeletConfiguration.imageGCHighThresholdPercent'),
  imageGcLowThresholdPercent: classField('kubeletConfiguration.imageGCLowThresholdPercent'),
  evictionMaxPodGracePeriodSeconds: classField('kubeletConfiguration.evictionMaxPodGracePeriod'),
  evictionSoft: classField('kubeletConfiguration.evictionSoft'),
  evictionSoftGracePeriod: classField('kubeletConfiguration.evictionSoftGracePeriod'),
  insecureKubeletReadonlyPortEnabled: AS_SOURCE,
  ...Object.fromEntries(
    `allowedUnsafeSysctls containerLogMaxFiles containerLogMaxSize cpuCfsQuotaPeriod cpuManagerPolicy crashLoopBackOff
     evictionMinimumReclaim imageMaximumGcAge imageMinimumGcAge maxParallelImagePulls memoryManager podPidsLimit
     singleProcessOomKill topologyManager shutdownGracePeriodSeconds shutdownGracePeriodCriticalPodsSeconds
     containerLogMaxWorkers containerLogMonitorInterval reservedResourcesConfig reservedSystemCpus`
      .trim()
      .split(/\s+/)
      .map((field) => [field, NOT_IN_CLASS]),
  ),
}
