import { annotations, isConditionTrue, labels, type NodePool } from '@kerf/apis'
import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'

const isFrozen = ({ spec }: NodePool): boolean =>
  spec.disruption?.budgets?.some(({ nodes, schedule }) => nodes === '0' && schedule === undefined) ?? false

/**
 * At the end, no drifted or empty node remains if the NodePool's budgets allow Kerf to disrupt it. Empty nodes of static NodePools, and
 * empty nodes that a capacity buffer needs, may stay.
 */
export const driftedAndEmptyNodesTerminate: MakeInvariant = (environment) => ({
  name: 'drifted-and-empty-nodes-terminate',
  eventually: () => {
    const pools = new Map(environment.nodePools().map((pool) => [pool.metadata.name, pool]))
    const busy = new Set(
      environment
        .pods()
        .flatMap((pod) =>
          ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '') || isOfDaemonSet(pod) ? [] : [pod.spec.nodeName],
        ),
    )
    const hasBuffer = environment.run.objects.some(({ kind }) => kind === 'CapacityBuffer')
    return environment.claims().flatMap((claim) => {
      const pool = pools.get(claim.metadata.labels?.[labels.nodePool] ?? '')
      if (pool === undefined || isFrozen(pool) || !isConditionTrue(claim, 'Initialized')) return []
      const hash = claim.metadata.annotations?.[annotations.nodePoolHash]
      if (hash !== pool.metadata.annotations?.[annotations.nodePoolHash])
        return [`${claim.metadata.name} has drifted from its NodePool and is kept`]
      if (environment.cloud.hasDrifted?.(claim) === true)
        return [`${claim.metadata.name} has drifted from its node class and is kept`]
      return hasBuffer || pool.spec.replicas !== undefined || busy.has(claim.status?.nodeName)
        ? []
        : [`${claim.metadata.name} is empty and is kept`]
    })
  },
})
