import { kinds, type Milliseconds } from '@kerf/apis'
import { type Controller, isNotFound, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import type { Observations, ObservedDecision } from './observations.ts'

/** The ConfigMap that holds the decisions of observe mode. */
export const DECISIONS_CONFIG_MAP = 'kerf-observed-decisions'

const INTERVAL: Milliseconds = 10_000
/** An object may have 1 MiB, and etcd takes 1.5 MiB; the rest is for what surrounds the decisions. */
const MOST_BYTES = 900_000

/** One decision each line, oldest first: the latest that an object has room for. */
const asLines = (decisions: readonly ObservedDecision[]): string => {
  const lines: string[] = []
  let bytes = 0
  for (const decision of decisions.toReversed()) {
    const line = JSON.stringify(decision)
    bytes += Buffer.byteLength(line) + 1
    if (bytes > MOST_BYTES) break
    lines.push(line)
  }
  return lines.reverse().join('\n')
}

/** `observation.decisions`: writes the latest decisions that an object has room for, one JSON document each line, oldest first. */
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
      const data = { decisions: asLines(recent) }
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
