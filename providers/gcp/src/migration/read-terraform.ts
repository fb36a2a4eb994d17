import { ownValue, setOwnValue } from '@kerf/apis'
import { asObjects, isLoose, type Loose } from '@kerf/provider-kit/documents'

/** Terraform fields that GKE's API calls by another name, after conversion to camel case. */
const NAMES: Readonly<Record<string, string>> = {
  nodeLocations: 'locations',
  nodeConfig: 'config',
  nodePool: 'nodePools',
  taint: 'taints',
  guestAccelerator: 'accelerators',
  type: 'acceleratorType',
  count: 'acceleratorCount',
  clusterAutoscaling: 'autoscaling',
}

/** Blocks that may occur more than once. */
const LISTS: ReadonlySet<string> = new Set([
  'nodePools',
  'taints',
  'accelerators',
  'secondaryBootDisks',
  'additionalNodeNetworkConfigs',
])

/** Maps whose keys belong to the user. */
const MAPS: ReadonlySet<string> = new Set(['labels', 'resourceLabels', 'metadata'])

/** Fields that exist only in Terraform, or that Terraform computes. */
const OWN: ReadonlySet<string> = new Set([
  ...['cluster', 'id', 'location', 'project', 'timeouts', 'operation', 'managed_instance_group_urls'],
  ...['node_count', 'name_prefix', 'effective_taints', 'terraform_labels', 'effective_labels'],
])

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Converts a value to the form of the API. Terraform's state stores a single block as a list, which becomes an object. */
const converted = (name: string, value: unknown): unknown => {
  if (MAPS.has(name)) return value
  if (Array.isArray(value) && value.some(isLoose)) {
    const items = asObjects(value).map(asApi)
    return LISTS.has(name) ? items : items[0]
  }
  return isLoose(value) ? asApi(value) : value
}

const asApi = (values: Loose): Loose => {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    if (OWN.has(key) || value === null) continue
    const plain = camel(key)
    const name = ownValue(NAMES, plain) ?? plain
    setOwnValue(fields, name, converted(name, value))
  }
  return fields
}

/** Converts a node pool. In Terraform, the presence of a block enables autoscaling. GKE's API has the field `enabled` instead. */
const pool = (values: Loose): Loose => {
  const { maxPodsPerNode, autoscaling, networkConfig, instanceGroupUrls, ...rest } = asApi(values)
  return {
    ...rest,
    ...(isLoose(autoscaling) ? { autoscaling: { ...autoscaling, enabled: true } } : {}),
    ...(isLoose(networkConfig) ? { networkConfig } : {}),
    ...(maxPodsPerNode === undefined ? {} : { maxPodsConstraint: { maxPodsPerNode } }),
    ...(Array.isArray(instanceGroupUrls) ? { instanceGroupUrls } : {}),
  }
}

/** Converts `google_container_node_pool` of Terraform's state to the form of GKE's API. */
export const poolExport = (values: Loose): Loose => {
  // The count is per zone, as in the API.
  const { initialNodeCount, ...rest } = pool(values)
  const count = values['node_count'] ?? initialNodeCount
  return { ...rest, ...(count === undefined || count === null ? {} : { initialNodeCount: count }) }
}

/** Converts `google_container_cluster` of Terraform's state to the form of GKE's API. */
export const clusterExport = (values: Loose): Loose => {
  const { nodePools: _, releaseChannel, autoscaling, defaultMaxPodsPerNode, enableAutopilot, ...rest } = asApi(values)
  return {
    ...{ name: rest['name'], selfLink: rest['selfLink'], locations: rest['locations'], subnetwork: rest['subnetwork'] },
    location: values['location'],
    releaseChannel,
    autopilot: { enabled: enableAutopilot === true },
    defaultMaxPodsConstraint: { maxPodsPerNode: defaultMaxPodsPerNode },
    autoscaling: isLoose(autoscaling)
      ? { ...autoscaling, enableNodeAutoprovisioning: autoscaling['enabled'] === true }
      : undefined,
    nodePools: asObjects(values['node_pool']).map(poolExport),
  }
}
