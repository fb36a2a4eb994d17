import { wellKnownLabels } from '@kerf/apis'

/** Converts the key of a node label to a metric label, for example `node.kubernetes.io/instance-type` to `instance_type`. */
const metricLabel = (key: string): string =>
  key
    .slice(key.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll('-', '_')

/** Converts a resource name to a metric label, for example `ephemeral-storage` to `ephemeral_storage`. Keeps slashes and dots. */
export const resourceLabelValue = (resource: string): string => resource.toLowerCase().replaceAll('-', '_')

/** Returns the keys of well-known labels by their metric label. Omits keys without a domain. */
export const nodeLabelNames = (providerLabels: readonly string[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const key of [...wellKnownLabels, ...providerLabels]) {
    const name = metricLabel(key)
    if (key.includes('/') && !names.has(name)) names.set(name, key)
  }
  return names
}
