import { type FieldRule, type FieldRules, onlyPositive, stateFields } from '@kerf/provider-kit/migration'

const classField = (field: string): FieldRule => ({ to: `OCINodeClass spec.${field}` })
const onlyIf = (isMeant: (value: unknown) => boolean, rule: FieldRule) => (value: unknown) =>
  isMeant(value) ? rule : undefined
/** The rule for objects whose fields have separate rules. */
const byParts = () => undefined

/** How each field of an OKE node pool is migrated, by its name in the API. */
export const poolRules: FieldRules = {
  ...stateFields(
    'id name clusterId lifecycleState lifecycleDetails nodes nodeImageId nodeImageName nodeSource timeCreated systemTags state timeouts',
  ),
  ...stateFields('definedTags nodePoolId nodePoolTypes'),
  compartmentId: classField('nodeCompartmentId'),
  // The tags of the pool configure Cluster Autoscaler.
  freeformTags: byParts,
  kubernetesVersion: { because: 'Kerf uses images for the version of the API server' },
  nodeShape: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  nodeShapeConfig: { to: 'OCINodeClass spec.shapeConfigs', because: 'the instance type has the size in its name' },
  nodeSourceDetails: byParts,
  nodeConfigDetails: byParts,
  nodeMetadata: byParts,
  initialNodeLabels: { to: 'NodePool spec.template.metadata.labels' },
  sshPublicKey: classField('sshAuthorizedKeys'),
  quantityPerSubnet: onlyPositive({ because: 'a NodePool has the nodes that its pods need' }),
  subnetIds: classField('networkConfig.primaryVnicConfig.subnetConfig'),
  nodeEvictionNodePoolSettings: {
    because: 'set spec.template.spec.terminationGracePeriod of the NodePool to limit the drain of a node',
  },
  nodePoolCyclingDetails: { because: 'Kerf replaces nodes itself: see disruption budgets' },
}

export const sourceRules: FieldRules = {
  ...stateFields('sourceType'),
  imageId: {
    to: 'OCINodeClass spec.volumeConfig.bootVolumeConfig.imageConfig',
    because: 'an image of OKE becomes a filter for the newest image of its operating system',
  },
  bootVolumeSizeInGBs: classField('volumeConfig.bootVolumeConfig.sizeInGBs'),
}

export const configRules: FieldRules = {
  size: { because: 'a NodePool has the nodes that its pods need' },
  nsgIds: classField('networkConfig.primaryVnicConfig.networkSecurityGroupConfigs'),
  kmsKeyId: classField('volumeConfig.bootVolumeConfig.kmsKeyConfig'),
  isPvEncryptionInTransitEnabled: onlyIf(
    (value) => value === true,
    classField('volumeConfig.bootVolumeConfig.pvEncryptionInTransit'),
  ),
  definedTags: classField('definedTags'),
  freeformTags: classField('freeformTags'),
  placementConfigs: byParts,
  nodePoolPodNetworkOptionDetails: byParts,
}

export const placementRules: FieldRules = {
  availabilityDomain: { to: 'NodePool requirement topology.kubernetes.io/zone' },
  subnetId: classField('networkConfig.primaryVnicConfig.subnetConfig'),
  capacityReservationId: classField('capacityReservationConfigs'),
  faultDomains: { because: 'Oracle Cloud chooses the fault domain of each instance' },
  preemptibleNodeConfig: { to: 'NodePool requirement karpenter.sh/capacity-type' },
}

export const podNetworkRules: FieldRules = {
  cniType: byParts,
  maxPodsPerNode: onlyPositive(classField('kubeletConfig.maxPods')),
  podSubnetIds: classField('networkConfig.secondaryVnicConfigs'),
  podNsgIds: classField('networkConfig.secondaryVnicConfigs'),
}

/** Returns the migration rule for an entry of `nodeMetadata`. */
export const metadataRule = (key: string): FieldRule => {
  if (key === 'kubelet-extra-args')
    return { to: 'OCINodeClass spec.kubeletConfig.extraArgs', because: 'taints become taints of the NodePool' }
  if (key === 'user_data')
    return { because: 'write its commands into preBootstrapInitScript or postBootstrapInitScript of the OCINodeClass' }
  return classField('metadata')
}
