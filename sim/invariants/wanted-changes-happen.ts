import { annotations, isConditionTrue, labels, type NodePool } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

const isFrozen = ({ spec }: NodePool): boolean => spec.disruption?.budgets?.some(({ nodes }) => nodes === '0') ?? false

/** At rest no node differs from its pool, and none is empty, where the pool's budgets let it go. */
export const wantedChangesHappen: MakeInvariant = (world) => ({
  name: 'wanted-changes-happen',
  rest: () => {
    const pools = new Map(world.nodePools().map((pool) => [pool.metadata.name, pool]))
    const busy = new Set(
      world
        .pods()
        .flatMap(({ spec, status }) => (['Succeeded', 'Failed'].includes(status?.phase ?? '') ? [] : [spec.nodeName])),
    )
    return world.claims().flatMap((claim) => {
      const pool = pools.get(claim.metadata.labels?.[labels.nodePool])
      if (pool === undefined || isFrozen(pool) || !isConditionTrue(claim, 'Initialized')) return []
      const hash = claim.metadata.annotations?.[annotations.nodePoolHash]
      if (hash !== pool.metadata.annotations?.[annotations.nodePoolHash])
        return [`${claim.metadata.name} has drifted from its pool and stays`]
      return busy.has(claim.status?.nodeName) ? [] : [`${claim.metadata.name} is empty and stays`]
    })
  },
})
