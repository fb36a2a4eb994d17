import { wellKnownLabels } from '@kerf/apis'

/** `node.kubernetes.io/instance-type` → `instance_type`: how a node's labels appear in metrics. */
const metricLabelOf = (key: string): string =>
  key
    .slice(key.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll('-', '_')

/** `ephemeral-storage` → `ephemeral_storage`; slashes and dots stay. */
export const resourceLabelOf = (resource: string): string => resource.toLowerCase().replaceAll('-', '_')

/** Well-known label keys by the metric label they appear under; keys without a domain do not appear. */
export const nodeLabelNames = (providerLabels: readonly string[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const key of [...wellKnownLabels, ...providerLabels]) {
    const name = metricLabelOf(key)
    if (key.includes('/') && !names.has(name)) names.set(name, key)
  }
  return names
}
