import { asNumber } from '@kerf/provider-kit/documents'
import {
  desiredSize,
  type FieldRule,
  type FieldRules,
  largestSize,
  leastSize,
  stateFields,
} from '@kerf/provider-kit/migration'

const classField = (field: string): FieldRule => ({ to: `ECSNodeClass spec.${field}` })
const NOT_IN_CLASS: FieldRule = { because: 'an ECSNodeClass has no such field' }
const onlyIf = (isMeant: (value: unknown) => boolean, rule: FieldRule) => (value: unknown) =>
  isMeant(value) ? rule : undefined
const isTrue = (value: unknown): boolean => value === true
const isNotEmpty = (value: unknown): boolean => !Array.isArray(value) || value.length > 0
const isPositive = (value: unknown): boolean => (asNumber(value) ?? 0) > 0

/** How each field of an ACK node pool is migrated, by its name in DescribeClusterNodePools. */
export const poolRules: FieldRules = {
  ...stateFields('status node_components max_nodes'),
  // The fields of these objects have separate rules.
  nodepool_info: () => undefined,
  scaling_group: () => undefined,
  auto_scaling: () => undefined,
  kubernetes_config: () => undefined,
  management: { because: 'Kerf replaces nodes itself: see disruption budgets and node repair' },
  auto_mode: { because: 'an automatic pool is managed by ACK' },
  tee_config: onlyIf((value) => JSON.stringify(value)?.includes('true') === true, NOT_IN_CLASS),
  node_config: { because: 'see its parts' },
  interconnect_config: NOT_IN_CLASS,
  interconnect_mode: onlyIf((value) => value !== 'basic', NOT_IN_CLASS),
  eflo_node_group: NOT_IN_CLASS,
}

export const autoScalingRules: FieldRules = {
  enable: { to: 'NodePool', because: 'a NodePool grows and shrinks by itself' },
  min_instances: leastSize,
  max_instances: largestSize,
  type: { because: 'a NodePool chooses instances by its requirements' },
  is_bond_eip: onlyIf(isTrue, NOT_IN_CLASS),
  eip_bandwidth: () => undefined,
  eip_internet_charge_type: () => undefined,
}

export const kubernetesRules: FieldRules = {
  labels: onlyIf(isNotEmpty, { to: 'NodePool spec.template.metadata.labels' }),
  taints: onlyIf(isNotEmpty, { to: 'NodePool spec.template.spec.taints' }),
  user_data: { to: 'ECSNodeClass spec.userData' },
  pre_user_data: {
    because: 'write it into spec.userData as a part with the content type text/x-shellscript; stage="pre"',
  },
  cpu_policy: onlyIf((value) => value === 'static', {
    because: 'an ECSNodeClass cannot set the policy of the CPU manager',
  }),
  runtime: { because: 'nodes of Kerf have the runtime of the default node pool' },
  runtime_version: { because: 'nodes of Kerf have the runtime of the default node pool' },
  node_name_mode: { because: 'ACK names nodes of Kerf by their private address' },
  cms_enabled: onlyIf(isTrue, NOT_IN_CLASS),
  unschedulable: onlyIf(isTrue, { because: 'nodes of Kerf are schedulable' }),
}

export const kubeletRules: FieldRules = {
  maxPods: classField('kubeletConfiguration.maxPods'),
  systemReserved: classField('kubeletConfiguration.systemReserved'),
  kubeReserved: classField('kubeletConfiguration.kubeReserved'),
  evictionHard: classField('kubeletConfiguration.evictionHard'),
  cpuCFSQuota: classField('kubeletConfiguration.cpuCFSQuota'),
  imageGCHighThresholdPercent: classField('kubeletConfiguration.imageGCHighThresholdPercent'),
  imageGCLowThresholdPercent: classField('kubeletConfiguration.imageGCLowThresholdPercent'),
}

export const scalingGroupRules: FieldRules = {
  ...stateFields('scaling_group_id security_group_id'),
  instance_types: { to: 'NodePool requirement node.kubernetes.io/instance-type' },
  instance_patterns: onlyIf(isNotEmpty, { because: 'write the pattern as requirements of the NodePool' }),
  vswitch_ids: classField('vSwitchSelectorTerms'),
  security_group_ids: classField('securityGroupSelectorTerms'),
  image_id: { to: 'ECSNodeClass spec.imageSelectorTerms', because: 'an image of ACK becomes the alias of its family' },
  image_type: classField('imageSelectorTerms'),
  platform: onlyIf((value) => value === 'Windows', { because: 'Kerf launches no Windows nodes on Alibaba Cloud' }),
  key_pair: classField('keyPairName'),
  login_password: { because: 'exports do not contain it: set spec.keyPairName or spec.password' },
  login_as_non_root: onlyIf(isTrue, NOT_IN_CLASS),
  system_disk_category: classField('systemDisk.categories'),
  system_disk_categories: classField('systemDisk.categories'),
  system_disk_size: classField('systemDisk.volumeSize'),
  system_disk_performance_level: classField('systemDisk.performanceLevel'),
  system_disk_encrypted: onlyIf(isTrue, NOT_IN_CLASS),
  system_disk_encrypt_algorithm: () => undefined,
  system_disk_kms_key_id: NOT_IN_CLASS,
  system_disk_bursting_enabled: onlyIf(isTrue, NOT_IN_CLASS),
  system_disk_provisioned_iops: onlyIf(isPositive, NOT_IN_CLASS),
  system_disk_snapshot_policy_id: NOT_IN_CLASS,
  data_disks: onlyIf(isNotEmpty, { to: 'ECSNodeClass spec.dataDisks', because: 'their sizes and categories' }),
  disk_init: onlyIf(isNotEmpty, NOT_IN_CLASS),
  tags: onlyIf(isNotEmpty, classField('tags')),
  ram_role_name: { because: 'instances of Kerf have no RAM role: an ECSNodeClass has no such field' },
  spot_strategy: onlyIf((value) => value !== 'NoSpot', { to: 'NodePool requirement karpenter.sh/capacity-type' }),
  spot_price_limit: onlyIf(isNotEmpty, { because: 'Kerf pays up to the price on demand' }),
  spot_instance_pools: () => undefined,
  spot_instance_remedy: onlyIf(isTrue, { because: 'Kerf replaces spot instances that ECS takes back' }),
  compensate_with_on_demand: onlyIf(isTrue, { to: 'NodePool requirement karpenter.sh/capacity-type' }),
  on_demand_base_capacity: onlyIf(isPositive, { because: 'a NodePool has no base of on-demand nodes' }),
  on_demand_percentage_above_base_capacity: onlyIf(isPositive, {
    because: 'a NodePool has no share of on-demand nodes',
  }),
  instance_charge_type: onlyIf((value) => value === 'PrePaid', { because: 'instances of Kerf are paid by use' }),
  multi_az_policy: { to: 'ECSNodeClass spec.vSwitchSelectionPolicy', because: 'BALANCE becomes balanced' },
  scaling_policy: { because: 'a released instance of Kerf is deleted' },
  desired_size: desiredSize,
  deploymentset_id: NOT_IN_CLASS,
  internet_max_bandwidth_out: onlyIf(isPositive, NOT_IN_CLASS),
  internet_charge_type: () => undefined,
  private_pool_options: onlyIf((value) => JSON.stringify(value)?.includes('Target') === true, NOT_IN_CLASS),
  resource_pool_options: NOT_IN_CLASS,
  rds_instances: onlyIf(isNotEmpty, NOT_IN_CLASS),
  period: () => undefined,
  period_unit: () => undefined,
  auto_renew: () => undefined,
  auto_renew_period: () => undefined,
  cis_enabled: onlyIf(isTrue, NOT_IN_CLASS),
  soc_enabled: onlyIf(isTrue, NOT_IN_CLASS),
  security_hardening_os: onlyIf(isTrue, NOT_IN_CLASS),
  enable_high_density_mode: onlyIf(isTrue, NOT_IN_CLASS),
  cpu_options: NOT_IN_CLASS,
  ram_policy: () => undefined,
}
