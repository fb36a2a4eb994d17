import { labels, type Node, type NodeClaim, parseQuantity, parseResources, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

const isLeaving = ({ metadata, spec }: Node): boolean =>
  metadata.deletionTimestamp !== undefined || (spec.taints?.some(({ key }) => key === taints.disrupted.key) ?? false)

/** Returns a key that identifies the NodeClaim and whether it has been launched. */
const claimStage = ({ metadata, status }: NodeClaim): string =>
  `${metadata.uid} ${status?.providerID === undefined ? 'asked for' : 'launched'}`

/**
 * No launch and no new NodeClaim exceeds the limits of a NodePool. Before its launch, a claim counts as the largest instance type that its
 * requirements allow, because the cloud may choose that type. As in upstream, nodes that are being disrupted do not count, because their
 * pods need capacity first. A launch that takes minutes is checked against the state at its claim's creation. Nodes that were being
 * disrupted at that time do not count, even if a restart has uncordoned them since. Two Kerf processes that are active at once may together
 * exceed a limit. Leader election prevents that.
 */
export const poolLimits: MakeInvariant = (environment) => {
  const known = new Set<string>()
  /** The instances that were being disrupted when Kerf created a claim, by the UID of the claim. */
  const leavingBefore = new Map<string | undefined, ReadonlySet<string | undefined>>()
  const typesByName = new Map(environment.instanceTypes.map((type) => [type.name, type]))
  const claimAmount = (claim: NodeClaim, resource: string): bigint => {
    if (claim.status?.capacity !== undefined) return parseResources(claim.status.capacity)[resource] ?? 0n
    const written = claim.spec.requirements.find(({ key }) => key === labels.instanceType)?.values ?? []
    const amounts = written.map((name): bigint => typesByName.get(name)?.capacity[resource] ?? 0n)
    return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n)
  }
  return {
    name: 'pool-limits',
    always: () => {
      const fresh = environment.claims().filter((claim) => !known.has(claimStage(claim)))
      const leavingNow = new Set(environment.nodes().flatMap((node) => (isLeaving(node) ? [node.spec.providerID] : [])))
      for (const claim of fresh) {
        known.add(claimStage(claim))
        if (!leavingBefore.has(claim.metadata.uid)) leavingBefore.set(claim.metadata.uid, leavingNow)
      }
      if (environment.processes.overlaps.near(environment.clock.monotonic())) return []
      if (fresh.some(({ metadata }) => environment.processes.overlaps.nearTime(metadata.creationTimestamp))) return []
      const pools = new Set(fresh.map(({ metadata }) => metadata.labels?.[labels.nodePool]))
      return environment.nodePools().flatMap(({ metadata, spec }) => {
        if (spec.limits === undefined || !pools.has(metadata.name)) return []
        const leaving = fresh
          .filter((claim) => claim.metadata.labels?.[labels.nodePool] === metadata.name)
          .reduce((all, { metadata: { uid } }) => all.union(leavingBefore.get(uid) ?? new Set()), leavingNow)
        const own = environment
          .claims()
          .filter((claim) => claim.metadata.labels?.[labels.nodePool] === metadata.name)
          .filter((claim) => claim.metadata.deletionTimestamp === undefined && !leaving.has(claim.status?.providerID))
        return Object.entries(spec.limits).flatMap(([resource, limit]) => {
          const used =
            resource === 'nodes'
              ? parseQuantity(own.length)
              : own.reduce((sum, claim) => sum + claimAmount(claim, resource), 0n)
          return used > parseQuantity(limit)
            ? [`pool ${metadata.name} has ${own.length} claims and more ${resource} than its limit of ${limit}`]
            : []
        })
      })
    },
  }
}
