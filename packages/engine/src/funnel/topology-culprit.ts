import type { EquivalenceGroup, KeyTerms, Variant } from '../model/equivalence-group.ts'
import { type ConstraintsId, hostOfClaim } from '../model/ids.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import type { Run } from '../packing/packing-run.ts'
import { detailTexts } from '../reasons/detail-texts.ts'

/** The topology constraint, or combination of constraints, that leaves no domain for a new node. */
export type Culprit = {
  readonly code: 'topology.spread' | 'topology.affinity' | 'topology.anti-affinity'
  readonly key: string
  readonly maxSkew: number
  /** The other constraints, if several constraints together leave no domain. Each of them alone would leave at least one domain. */
  readonly with?: string
  /**
   * Whether pods that match the affinity run in domains that the pod cannot use. If they do, the pod cannot be the first one of its group.
   */
  readonly elsewhere?: boolean
}

const toCulprit = ({ type, key, maxSkew }: TopologyGroup): Culprit => ({ code: `topology.${type}`, key, maxSkew })

/**
 * Returns several constraints that together leave no domain as one culprit. It names a spread constraint first, because its maxSkew can be
 * raised.
 */
export const culpritTogether = (groups: readonly TopologyGroup[]): Culprit => {
  const main = groups.find(({ type }) => type === 'spread') ?? groups[0]
  if (main === undefined) return { code: 'topology.spread', key: detailTexts.severalLabels, maxSkew: 0 }
  const others = groups.filter((group) => group !== main).map(constraintName)
  const keys = new Set([main.key, ...groups.map(({ key }) => key)])
  return { ...toCulprit(main), key: [...keys].join(' and '), with: [...new Set(others)].join(', ') }
}

const constraintName = ({ type, isInverse, maxSkew }: TopologyGroup): string => {
  switch (type) {
    case 'spread':
      return detailTexts.spread(maxSkew)
    case 'affinity':
      return detailTexts.affinity
    case 'anti-affinity':
      return isInverse ? detailTexts.antiAffinityOfOthers : detailTexts.antiAffinity
  }
}

/**
 * Returns the topology constraint that leaves no domain for a new node with these constraints. If no single constraint does, returns the
 * smallest combination that does.
 */
export const topologyCulprit = (
  run: Run,
  equivalenceGroup: EquivalenceGroup,
  variant: Variant,
  constraints: ConstraintsId,
): Culprit | undefined => {
  const newHost = hostOfClaim(run.nodes.size, run.claims.nextId)
  for (const group of variant.hostGroups) {
    if (!run.counts.allowsHost({ ...variant, hostGroups: [group] }, equivalenceGroup, newHost)) return toCulprit(group)
  }
  for (const terms of variant.keyTerms) {
    if (terms.groups.length === 0) continue
    const { domains, mayBeAbsent } = run.problem.constraintsTable.openDomains(constraints, terms.key)
    if (terms.onlyAvoids && (mayBeAbsent || domains.length === 0)) continue
    const leavesNothing = (groups: readonly TopologyGroup[]): boolean =>
      run.counts.choose({ ...terms, groups }, equivalenceGroup, domains) === undefined
    const culprit = culpritAmong(terms, leavesNothing)
    if (culprit === undefined) continue
    if (culprit.length > 1) return culpritTogether(culprit)
    const [group] = culprit
    if (group === undefined) continue
    const elsewhere = group.type === 'affinity' && run.counts.hasPods(group)
    return elsewhere ? { ...toCulprit(group), elsewhere } : toCulprit(group)
  }
  return undefined
}

/**
 * Returns one group that leaves no domain by itself. If there is none, returns two groups that leave no domain together. If there is no
 * such pair either, returns all groups.
 */
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
