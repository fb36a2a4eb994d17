import { kinds, type Milliseconds } from '@kerf/apis'
import { type Controller, isNotFound, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import type { Observations } from './observations.ts'

/** The ConfigMap that holds the decisions of observe mode. */
export const DECISIONS_CONFIG_MAP = 'kerf-observed-decisions'

const INTERVAL: Milliseconds = 10_000

/** `observation.decisions`: writes the latest decisions, one JSON document each line, oldest first. */
export const decisionsConfigMap = (
  { client }: Pick<Deps, 'client'>,
  observations: Observations,
  namespace: string,
): Controller => {
  const ref = { name: DECISIONS_CONFIG_MAP, namespace }
  let written = 0
  return {
    name: 'observation.decisions',
    sources: [],
    concurrency: 1,
    singleton: true,
    reconcile: async (_key, signal) => {
      const { version, recent } = observations
      if (version === written) return retryAfter(INTERVAL)
      const decisions = recent.map((decision) => JSON.stringify(decision)).join('\n')
      const data = { decisions }
      try {
        await client.patch(kinds.ConfigMap, ref, { type: 'merge', body: { data } }, { signal })
      } catch (error) {
        if (!isNotFound(error)) throw error
        await client.create(kinds.ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref, data }, { signal })
      }
      written = version
      return retryAfter(INTERVAL)
    },
  }
}
