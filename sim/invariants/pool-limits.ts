import { labels, type Node, parseQuantity, parseResources, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

const isLeaving = ({ metadata, spec }: Node): boolean =>
  metadata.deletionTimestamp !== undefined || (spec.taints?.some(({ key }) => key === taints.disrupted.key) ?? false)

/**
 * A launch never takes a NodePool above its limits. Nodes that are being disrupted do not count, as in upstream, because
 * their pods need capacity first. Two Kerfs that act at once may exceed a limit together; leader election prevents that.
 */
export const poolLimits: MakeInvariant = (environment) => {
  const launched = new Set<string>()
  return {
    name: 'pool-limits',
    always: () => {
      const fresh = environment
        .claims()
        .filter(({ metadata, status }) => status?.providerID !== undefined && !launched.has(metadata.uid ?? ''))
      for (const { metadata } of fresh) launched.add(metadata.uid ?? '')
      if (environment.processes.overlaps.near(environment.clock.monotonic())) return []
      if (fresh.some(({ metadata }) => environment.processes.overlaps.nearTime(metadata.creationTimestamp))) return []
      const pools = new Set(fresh.map(({ metadata }) => metadata.labels?.[labels.nodePool]))
      return environment.nodePools().flatMap(({ metadata, spec }) => {
        if (spec.limits === undefined || !pools.has(metadata.name)) return []
        const leaving = new Set(environment.nodes().flatMap((node) => (isLeaving(node) ? [node.spec.providerID] : [])))
        const own = environment
          .claims()
          .filter((claim) => claim.metadata.labels?.[labels.nodePool] === metadata.name)
          .filter((claim) => claim.metadata.deletionTimestamp === undefined && !leaving.has(claim.status?.providerID))
        return Object.entries(spec.limits).flatMap(([resource, limit]) => {
          const used =
            resource === 'nodes'
              ? parseQuantity(own.length)
              : own.reduce((sum, { status }) => sum + (parseResources(status?.capacity)[resource] ?? 0n), 0n)
          return used > parseQuantity(limit)
            ? [`pool ${metadata.name} has ${own.length} claims and more ${resource} than its limit of ${limit}`]
            : []
        })
      })
    },
  }
}
