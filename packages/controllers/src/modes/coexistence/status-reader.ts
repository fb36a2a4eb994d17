import { kinds, type Milliseconds } from '@kerf/apis'
import { type Controller, isNotFound, retryAfter } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { parseAutoscalerStatus, statusConfigMap } from './cluster-autoscaler-status.ts'
import type { OtherAutoscalers } from './other-autoscalers.ts'

/** How often Kerf reads the status. Cluster Autoscaler writes it every ten seconds, but groups rarely change. */
const INTERVAL: Milliseconds = 30_000

/** A time as Cluster Autoscaler writes it, for example `2026-08-22 09:00:00.1 +0000 UTC`. */
const TIME = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[\d.]*(?: [+-]\d{4} \w+)?(?: m=\S+)?/g

/**
 * Reads the node groups that a Cluster Autoscaler reports (controller `coexistence.status`). If the status disappears, the last one remains
 * valid, so that nodes of a stopped autoscaler do not count as free capacity. Calls `onNews` when the groups change.
 */
export const statusReader = (
  { client }: Pick<Deps, 'client'>,
  others: OtherAutoscalers,
  onNews: () => void,
): Controller => {
  let last: string | undefined
  return {
    name: 'coexistence.status',
    sources: [],
    concurrency: 1,
    singleton: true,
    reconcile: async (_key, signal) => {
      try {
        const { data } = await client.get(kinds.ConfigMap, statusConfigMap, { signal })
        // Parsing the YAML of a large cluster is expensive, and most statuses differ from the last one only in their times.
        const text = data?.['status']?.replaceAll(TIME, '')
        if (text === last) return retryAfter(INTERVAL)
        last = text
        const status = parseAutoscalerStatus(data?.['status'])
        if (status !== undefined && others.report(status.groups.map(({ name }) => name))) onNews()
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
      return retryAfter(INTERVAL)
    },
  }
}
