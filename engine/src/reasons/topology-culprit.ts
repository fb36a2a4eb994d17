import { type ConstraintsId, hostOfClaim } from '../model/ids.ts'
import type { KeyTerms, PodGroup, Variant } from '../model/pod-group.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import type { Run } from '../packing/packing-run.ts'

/** The topology constraint, or constraints together, that leave a new node no domain. */
export type Culprit = {
  readonly code: 'topology.spread' | 'topology.affinity' | 'topology.anti-affinity'
  readonly key: string
  readonly maxSkew: number
  /** The other constraints that together with this one leave nothing, though each leaves something by itself. */
  readonly with?: string
  /** Pods to be together with are in domains that the pod cannot reach, so that it may not be the first either. */
  readonly elsewhere?: boolean
}

const culpritOf = ({ type, key, maxSkew }: TopologyGroup): Culprit => ({ code: `topology.${type}`, key, maxSkew })

/** Several constraints that leave no domain together. A spread is named first: it is the one that can be loosened. */
export const culpritTogether = (groups: readonly TopologyGroup[]): Culprit => {
  const main = groups.find(({ type }) => type === 'spread') ?? groups[0]
  if (main === undefined) return { code: 'topology.spread', key: 'several labels at once', maxSkew: 0 }
  const others = groups.filter((group) => group !== main).map(nameOf)
  const keys = new Set([main.key, ...groups.map(({ key }) => key)])
  return { ...culpritOf(main), key: [...keys].join(' and '), with: [...new Set(others)].join(', ') }
}

const nameOf = ({ type, isInverse, maxSkew }: TopologyGroup): string => {
  switch (type) {
    case 'spread':
      return `topology spread (maxSkew ${maxSkew})`
    case 'affinity':
      return 'pod affinity'
    case 'anti-affinity':
      return isInverse ? 'pod anti-affinity of other pods' : 'pod anti-affinity'
  }
}

/** The constraint that leaves a new node of this state no domain, or the fewest that leave none together. */
export const topologyCulprit = (
  run: Run,
  podGroup: PodGroup,
  variant: Variant,
  constraints: ConstraintsId,
): Culprit | undefined => {
  const newHost = hostOfClaim(run.nodes.size, run.claims.nextId)
  for (const group of variant.hostGroups) {
    if (!run.counts.allowsHost({ ...variant, hostGroups: [group] }, podGroup, newHost)) return culpritOf(group)
  }
  for (const terms of variant.keyTerms) {
    if (terms.groups.length === 0) continue
    const { domains, mayBeAbsent } = run.problem.constraintsTable.openDomains(constraints, terms.key)
    if (terms.onlyAvoids && (mayBeAbsent || domains.length === 0)) continue
    const leavesNothing = (groups: readonly TopologyGroup[]): boolean =>
      run.counts.choose({ ...terms, groups }, podGroup, domains) === undefined
    const culprit = culpritAmong(terms, leavesNothing)
    if (culprit === undefined) continue
    if (culprit.length > 1) return culpritTogether(culprit)
    const [group] = culprit
    if (group === undefined) continue
    const elsewhere = group.type === 'affinity' && run.counts.hasPods(group)
    return elsewhere ? { ...culpritOf(group), elsewhere } : culpritOf(group)
  }
  return undefined
}

/** One group that leaves nothing, or two, or all. */
const culpritAmong = (
  { groups }: KeyTerms,
  leavesNothing: (groups: readonly TopologyGroup[]) => boolean,
): readonly TopologyGroup[] | undefined => {
  for (const group of groups) if (leavesNothing([group])) return [group]
  for (const [place, group] of groups.entries()) {
    for (const other of groups.slice(place + 1)) if (leavesNothing([group, other])) return [group, other]
  }
  return groups.length > 1 && leavesNothing(groups) ? groups : undefined
}
