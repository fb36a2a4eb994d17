import { kinds, type Milliseconds } from '@kerf/apis'
import { type Controller, isNotFound, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { statusConfigMap, statusOf } from './cluster-autoscaler-status.ts'
import type { OtherAutoscalers } from './other-autoscalers.ts'

/** Groups come and go seldom; Cluster Autoscaler itself writes its status every ten seconds. */
const INTERVAL: Milliseconds = 30_000

/**
 * `coexistence.status`: reads which node groups a Cluster Autoscaler reports. The last report holds when there is none any
 * more: nodes do not become Kerf's because their autoscaler has stopped. `onNews` is called when the groups change.
 */
export const statusReader = (
  { client }: Pick<Deps, 'client'>,
  others: OtherAutoscalers,
  onNews: () => void,
): Controller => ({
  name: 'coexistence.status',
  sources: [],
  concurrency: 1,
  singleton: true,
  reconcile: async (_key, signal) => {
    try {
      const { data } = await client.get(kinds.ConfigMap, statusConfigMap, { signal })
      const status = statusOf(data?.['status'])
      if (status !== undefined && others.report(status.groups.map(({ name }) => name))) onNews()
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    return retryAfter(INTERVAL)
  },
})
