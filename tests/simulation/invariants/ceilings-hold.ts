import { labels, type NodeClaim, parseQuantity, parseResources, policyKinds, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** How long a process may be unaware of a changed policy: a watch may lag by 30 s, and the creation of a claim may be in progress. */
const KNOWN_AFTER = 60_000

interface KnownCeilings {
  readonly generation: number | undefined
  /** The time at which the policy first had this generation. */
  readonly since: number
}

/**
 * No new NodeClaim exceeds a ceiling of the ClusterPolicy. A claim without an instance counts as the largest instance type that its
 * requirements allow, because the cloud may choose that type. Up to `surge` nodes that are being removed may exceed the ceilings. The
 * invariant excludes those with the largest amounts, although Kerf may exclude others. Two Kerf processes that are active at once may
 * together exceed a ceiling. Prices are not checked, because overlays change them.
 */
export const ceilingsHold: MakeInvariant = (environment) => {
  const known = new Set<string | undefined>()
  let ceilings: KnownCeilings | undefined
  const typesByName = new Map(environment.instanceTypes.map((type) => [type.name, type]))
  const claimAmount = ({ spec, status }: NodeClaim, resource: string): bigint => {
    if (resource === 'nodes') return parseQuantity(1)
    if (status?.capacity !== undefined) return parseResources(status.capacity)[resource] ?? 0n
    const allowed = spec.requirements.find(({ key }) => key === labels.instanceType)?.values ?? []
    const amounts = allowed.map((name): bigint => typesByName.get(name)?.capacity[resource] ?? 0n)
    return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n)
  }
  /** Returns the names of the claims that are being removed. */
  const leaving = (): ReadonlySet<string> => {
    const nodes = new Set(
      environment
        .nodes()
        .filter(
          ({ metadata, spec }) =>
            metadata.deletionTimestamp !== undefined || spec.taints?.some(({ key }) => key === taints.disrupted.key),
        )
        .map(({ metadata }) => metadata.name),
    )
    const claims = environment.claims().filter(({ metadata, status }) => {
      return metadata.deletionTimestamp !== undefined || nodes.has(status?.nodeName ?? '')
    })
    return new Set(claims.map(({ metadata }) => metadata.name))
  }
  return {
    name: 'ceilings-hold',
    always: () => {
      const now = environment.clock.monotonic()
      const [policy] = environment.list(policyKinds.ClusterPolicy)
      const { generation } = policy?.metadata ?? {}
      if (policy === undefined) ceilings = undefined
      else if (ceilings?.generation !== generation) ceilings = { generation, since: now }
      const fresh = environment.claims().filter(({ metadata }) => !known.has(metadata.uid))
      for (const { metadata } of fresh) known.add(metadata.uid)
      const limits = policy?.spec.ceilings
      if (fresh.length === 0 || limits === undefined || ceilings === undefined) return []
      if (now - ceilings.since < KNOWN_AFTER || environment.processes.overlaps.near(now)) return []
      const away = leaving()
      const { nodes, resources, surge = 1 } = limits
      return Object.entries({ ...(nodes === undefined ? {} : { nodes }), ...resources }).flatMap(([resource, most]) => {
        const removed: bigint[] = []
        let used = 0n
        for (const claim of environment.claims()) {
          const amount = claimAmount(claim, resource)
          used += amount
          if (away.has(claim.metadata.name)) removed.push(amount)
        }
        const left = removed.sort((a, b) => (a > b ? -1 : 1)).slice(0, surge)
        const counted = left.reduce((sum, amount) => sum - amount, used)
        return counted > parseQuantity(most)
          ? [
              `with ${fresh.map(({ metadata }) => metadata.name).join(', ')}, the nodes have more ${resource} than the ceiling of ${most}`,
            ]
          : []
      })
    },
  }
}
