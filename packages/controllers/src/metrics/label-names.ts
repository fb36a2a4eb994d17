import { wellKnownLabels } from '@kerf/apis'

/** Returns the label of a node as a metric label, for example `instance_type` for `node.kubernetes.io/instance-type`. */
const metricLabelOf = (key: string): string =>
  key
    .slice(key.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll('-', '_')

/**
 * Returns a resource name as a metric label, for example `ephemeral_storage` for `ephemeral-storage`. Slashes and dots stay.
 */
export const resourceLabelOf = (resource: string): string => resource.toLowerCase().replaceAll('-', '_')

/** Returns well-known label keys by their metric label. Keys without a domain are left out. */
export const nodeLabelNames = (providerLabels: readonly string[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const key of [...wellKnownLabels, ...providerLabels]) {
    const name = metricLabelOf(key)
    if (key.includes('/') && !names.has(name)) names.set(name, key)
  }
  return names
}
