import { tryParseQuantity } from '@kerf/apis'
import { type JsonObject, objectAt, objectsAt } from '../store/json.ts'

const counted = ['cpu', 'memory'] as const

/**
 * Returns a pod's quality-of-service class. `Guaranteed`: every container has limits for cpu and memory, and requests equal to
 * them. `BestEffort`: no container has requests or limits. `Burstable`: all other pods. If pod-level resources are set, only they
 * count.
 */
export const qosClass = (spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' => {
  const podLevel = objectAt(spec, 'resources')
  const containers =
    podLevel === undefined
      ? [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].map((one) =>
          objectAt(one, 'resources'),
        )
      : [podLevel]
  let asks = false
  let guaranteed = true
  for (const resources of containers) {
    for (const name of counted) {
      const request = tryParseQuantity(objectAt(resources, 'requests')?.[name])
      const limit = tryParseQuantity(objectAt(resources, 'limits')?.[name])
      if ((request ?? 0n) > 0n || (limit ?? 0n) > 0n) asks = true
      if (limit === undefined || limit === 0n || (request !== undefined && request !== limit)) guaranteed = false
    }
  }
  if (!asks) return 'BestEffort'
  return guaranteed ? 'Guaranteed' : 'Burstable'
}
