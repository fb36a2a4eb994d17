import { labels } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** No pod runs on a node before its claim's labels and taints are on it. */
export const podsWaitForRegistration: MakeInvariant = (world) => ({
  name: 'pods-wait-for-registration',
  step: () => {
    const unregistered = new Set(
      world.nodes().flatMap(({ metadata }) => (metadata.labels?.[labels.registered] === 'true' ? [] : [metadata.name])),
    )
    if (unregistered.size === 0) return []
    return world
      .pods()
      .flatMap(({ metadata, spec }) =>
        unregistered.has(spec.nodeName ?? '')
          ? [`pod ${metadata.name} is on ${spec.nodeName}, which is not registered`]
          : [],
      )
  },
})
