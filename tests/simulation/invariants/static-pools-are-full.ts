import { labels } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** At the end, every static NodePool has `spec.replicas` nodes. */
export const staticPoolsAreFull: MakeInvariant = (environment) => ({
  name: 'static-pools-are-full',
  eventually: () =>
    environment.nodePools().flatMap(({ metadata, spec }) => {
      if (spec.replicas === undefined) return []
      const own = environment.claims().filter((claim) => claim.metadata.labels?.[labels.nodePool] === metadata.name)
      return own.length === spec.replicas ? [] : [`pool ${metadata.name} has ${own.length} of ${spec.replicas} nodes`]
    }),
})
