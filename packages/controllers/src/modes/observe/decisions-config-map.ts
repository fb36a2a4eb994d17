import { kinds, type Milliseconds } from '@kerf/apis'
import { type Controller, isNotFound, retryAfter } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import type { Observations, ObservedDecision } from './observations.ts'

/** The ConfigMap with the decisions of observe mode. */
export const DECISIONS_CONFIG_MAP = 'kerf-observed-decisions'

const INTERVAL: Milliseconds = 10_000
/**
 * The maximum size of the decisions, in bytes. An object may have 1 MiB, and a request to etcd 1.5 MiB. The remainder is reserved for the
 * other fields.
 */
const MOST_BYTES = 900_000

/** Returns the latest decisions that fit into the object, one per line, oldest first. */
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

/** Writes the latest decisions that fit to the ConfigMap (controller `observation.decisions`): one JSON document per line, oldest first. */
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
