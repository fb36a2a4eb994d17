/** Returns a node pool in the format of DescribeClusterNodePools: the fields of the vendor's SDK, with typical values. */
export const ackPool = (
  name: string,
  more: {
    readonly info?: object
    readonly scaling?: object
    readonly sizes?: object
    readonly config?: object
    readonly kubelet?: object
    readonly nodes?: number
  } = {},
) => ({
  nodepool_info: {
    ...{ name, nodepool_id: `np-${name}`, is_default: false, type: 'ess', region_id: 'cn-hangzhou' },
    ...{ created: '2025-01-01T00:00:00Z', updated: '2025-01-01T00:00:00Z', resource_group_id: 'rg-1' },
    ...more.info,
  },
  auto_scaling: { enable: true, min_instances: 0, max_instances: 9, type: 'cpu', is_bond_eip: false, ...more.sizes },
  scaling_group: {
    ...{ scaling_group_id: `asg-${name}`, instance_types: ['ecs.g7.xlarge'], vswitch_ids: ['vsw-h', 'vsw-i'] },
    ...{ security_group_id: 'sg-nodes', security_group_ids: ['sg-nodes'], image_type: 'AliyunLinux3' },
    ...{ image_id: 'aliyun_3_x64_20G_alibase_20250117.vhd', platform: 'AliyunLinux', key_pair: 'nodes' },
    ...{ system_disk_category: 'cloud_essd', system_disk_size: 120, system_disk_performance_level: 'PL1' },
    ...{ data_disks: [], tags: [], spot_strategy: 'NoSpot', instance_charge_type: 'PostPaid' },
    ...{ multi_az_policy: 'BALANCE', scaling_policy: 'release', desired_size: null, internet_max_bandwidth_out: 0 },
    ...more.scaling,
  },
  kubernetes_config: {
    ...{ labels: [], taints: [], runtime: 'containerd', runtime_version: '1.6.36', cpu_policy: 'none' },
    ...{ cms_enabled: true, unschedulable: false, user_data: '', ...more.config },
  },
  node_config: { kubelet_configuration: more.kubelet ?? null },
  management: { enable: false },
  status: { state: 'active', total_nodes: more.nodes ?? 3, healthy_nodes: more.nodes ?? 3 },
})

/** Part of the output of `aliyun cs GET /clusters/ID`. */
export const ackCluster = {
  cluster_id: 'c0123456789',
  cluster_type: 'ManagedKubernetes',
  name: 'shop',
  state: 'running',
}
