import { ownValue, setOwnValue } from '@kerf/apis'
import { asObjects, isLoose, type Loose } from '@kerf/provider-kit/documents'

/** The place of each Terraform field in DescribeClusterNodePools: the object, and the field if its name differs. */
const PLACES: Readonly<Record<string, readonly [object: string, field?: string]>> = {
  name: ['nodepool_info'],
  node_pool_name: ['nodepool_info', 'name'],
  node_pool_id: ['nodepool_info', 'nodepool_id'],
  resource_group_id: ['nodepool_info'],
  type: ['nodepool_info'],
  key_name: ['scaling_group', 'key_pair'],
  password: ['scaling_group', 'login_password'],
  kms_encrypted_password: ['scaling_group', 'login_password'],
  deployment_set_id: ['scaling_group', 'deploymentset_id'],
  system_disk_kms_key: ['scaling_group', 'system_disk_kms_key_id'],
  node_count: ['scaling_group', 'desired_size'],
  install_cloud_monitor: ['kubernetes_config', 'cms_enabled'],
  runtime_name: ['kubernetes_config', 'runtime'],
}

/** Fields that belong to `kubernetes_config` in DescribeClusterNodePools. A field that no table here lists belongs to `scaling_group`. */
const KUBERNETES: ReadonlySet<string> = new Set([
  ...['cpu_policy', 'labels', 'node_name_mode', 'pre_user_data', 'runtime_version', 'taints', 'unschedulable'],
  'user_data',
])

/** Blocks that are at the top level of DescribeClusterNodePools, with the same name. */
const TOP: ReadonlySet<string> = new Set(['management', 'tee_config', 'auto_mode', 'eflo_node_group'])

/** Fields that exist only in Terraform, or that this file converts separately. */
const OWN: ReadonlySet<string> = new Set([
  ...['cluster_id', 'id', 'timeouts', 'vpc_id', 'force_delete', 'update_nodes', 'rolling_policy', 'instances'],
  ...['keep_instance_name', 'format_disk', 'kms_encryption_context', 'tags', 'scaling_config', 'kubelet_configuration'],
])

/** Blocks that may occur more than once. Terraform's state stores every other block as a list with one entry. */
const LISTS: ReadonlySet<string> = new Set(['labels', 'taints', 'data_disks', 'spot_price_limit', 'instance_patterns'])

/** The parts of kubelet field names that are written in capitals. */
const UPPER: Readonly<Record<string, string>> = { Cfs: 'CFS', Gc: 'GC', Dns: 'DNS', Api: 'API', Qps: 'QPS', Tls: 'TLS' }

const camel = (name: string): string =>
  name
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/[A-Z][a-z]+/g, (word) => ownValue(UPPER, word) ?? word)

const isSet = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Terraform's state stores the kubelet's numbers and booleans as strings. */
const kubeletValue = (value: unknown): unknown => (value === 'true' ? true : value === 'false' ? false : value)

const kubelet = (block: Loose): Loose => {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(block))
    if (isSet(value)) setOwnValue(fields, camel(name), kubeletValue(value))
  return fields
}

/** If `enable` is missing, the presence of the block enables autoscaling. */
const autoScaling = ({ min_size: min_instances, max_size: max_instances, enable, ...rest }: Loose): Loose => ({
  ...rest,
  ...{ enable: enable ?? true, min_instances, max_instances },
})

const tagList = (tags: Loose): readonly Loose[] => Object.entries(tags).map(([key, value]) => ({ key, value }))

/** Converts `alicloud_cs_kubernetes_node_pool` of Terraform's state to the form of DescribeClusterNodePools. */
export const poolExport = (values: Loose): Loose => {
  const objects: Record<string, Record<string, unknown>> = {
    ...{ nodepool_info: {}, scaling_group: {}, kubernetes_config: {} },
  }
  const top: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    if (OWN.has(name) || !isSet(value)) continue
    const [block] = LISTS.has(name) ? [] : asObjects(value)
    const read = block ?? value
    const [object, field = name] = ownValue(PLACES, name) ?? [
      KUBERNETES.has(name) ? 'kubernetes_config' : 'scaling_group',
    ]
    if (TOP.has(name)) setOwnValue(top, name, read)
    else setOwnValue(ownValue(objects, object) ?? {}, field, read)
  }
  const [scaling] = asObjects(values['scaling_config'])
  const [configuration] = asObjects(values['kubelet_configuration'])
  const { tags } = values
  return {
    ...top,
    ...objects,
    scaling_group: { ...objects['scaling_group'], ...(isLoose(tags) ? { tags: tagList(tags) } : {}) },
    ...(scaling === undefined ? {} : { auto_scaling: autoScaling(scaling) }),
    ...(configuration === undefined ? {} : { node_config: { kubelet_configuration: kubelet(configuration) } }),
  }
}
