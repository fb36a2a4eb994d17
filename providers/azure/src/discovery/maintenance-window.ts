import { kinds } from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'

const NAME = 'upcoming-maintenance-window'
const START = 'aksManagedNodeOSUpgradeSchedule-start'
const END = 'aksManagedNodeOSUpgradeSchedule-end'

/** RFC 3339 with a time zone. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i

/** Whether Kerf may replace images now. */
export type MaintenanceWindow =
  | { readonly kind: 'none' }
  | { readonly kind: 'open' }
  | { readonly kind: 'closed'; readonly start: string; readonly end: string }
  /** Kerf cannot read the window until a user fixes it. Until then, Kerf replaces no image. */
  | { readonly kind: 'unreadable'; readonly problem: string }

/**
 * Reads AKS's next maintenance window for node images (`providers/azure/docs/spec/azure.md#nodeclass-controllers`) from a ConfigMap in
 * Karpenter's namespace. If the ConfigMap, its keys or the namespace are missing, there is no window, and Kerf may replace images at any
 * time.
 *
 * @throws the error of the API server, unless the ConfigMap does not exist.
 */
export const readMaintenanceWindow = async (
  client: KubeClient,
  namespace: string,
  now: number,
  signal: AbortSignal,
): Promise<MaintenanceWindow> => {
  if (namespace === '') return { kind: 'none' }
  const data = await client.get(kinds.ConfigMap, { namespace, name: NAME }, { signal }).then(
    (map): Readonly<Record<string, string>> => map.data ?? {},
    (error: unknown): Readonly<Record<string, string>> => {
      if (isNotFound(error)) return {}
      throw error
    },
  )
  const [start = '', end = ''] = [data[START], data[END]]
  if (start === '' && end === '') return { kind: 'none' }
  const title = `ConfigMap ${namespace}/${NAME}`
  for (const [key, value] of [
    [START, start],
    [END, end],
  ] as const) {
    if (value === '') return { kind: 'unreadable', problem: `${title} has no ${key}; set it, or remove the other key` }
    if (!TIME.test(value) || Number.isNaN(Date.parse(value)))
      return { kind: 'unreadable', problem: `${title}: ${key} ${JSON.stringify(value)} is not an RFC 3339 time` }
  }
  return Date.parse(start) < now && now < Date.parse(end) ? { kind: 'open' } : { kind: 'closed', start, end }
}
