import type { EquivalenceGroupRead, EquivalenceGroupTopology, PodDemand } from '../model/equivalence-group.ts'
import type { EmptyTemplate, Template } from '../model/template.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import { PODS_PER_STEP, type Steps } from '../steps.ts'
import {
  type ClusterCounts,
  type CountedPods,
  countRunningPods,
  inverseGroupsOfRunningPods,
} from '../topology/cluster-counts.ts'
import { Domains } from '../topology/domains.ts'
import { TopologyGroups } from '../topology/topology-groups.ts'

/**
 * The result of the second stage of reading a problem: the topology groups of all pods, their domains, and the number of the cluster's pods
 * in each domain.
 */
export interface ProblemTopology {
  readonly groups: TopologyGroups
  readonly domains: Domains
  readonly clusterCounts: ClusterCounts
  /** The topology groups of each equivalence group, by its number. */
  readonly ofEquivalenceGroups: readonly EquivalenceGroupTopology[]
}

export function* readTopology(
  equivalenceGroups: readonly EquivalenceGroupRead[],
  pools: readonly (Template | EmptyTemplate)[],
  running: CountedPods,
): Steps<ProblemTopology> {
  const groups = new TopologyGroups()
  const owned = new Map<PodDemand, Owned>()
  for (const [number, { demand }] of equivalenceGroups.entries()) {
    if (number % PODS_PER_STEP === PODS_PER_STEP - 1) yield
    if (!owned.has(demand)) owned.set(demand, ownGroups(demand, groups))
  }
  const ownedBy = yield* inverseGroupsOfRunningPods(groups, running)
  const domains = new Domains(groups.keys, pools, running.nodes, running.rules)
  const clusterCounts = yield* countRunningPods(groups, domains, running, ownedBy)
  // The code can determine which groups count a pod only after all groups exist.
  const ofDemands = new Map<PodDemand, EquivalenceGroupTopology>()
  for (const [demand, own] of owned) {
    if (ofDemands.size % PODS_PER_STEP === PODS_PER_STEP - 1) yield
    ofDemands.set(demand, { counting: groups.selecting(demand.labels).filter(({ isInverse }) => !isInverse), ...own })
  }
  const ofEquivalenceGroups = equivalenceGroups.map(
    ({ demand, refusal }): EquivalenceGroupTopology =>
      refusal === undefined ? (ofDemands.get(demand) ?? NO_GROUPS) : NO_GROUPS,
  )
  return { groups, domains, clusterCounts, ofEquivalenceGroups }
}

const NO_GROUPS: EquivalenceGroupTopology = { counting: [], inverseOwned: [], demanded: [], affinity: [] }

type Owned = Pick<EquivalenceGroupTopology, 'inverseOwned' | 'demanded' | 'affinity'>

/** Returns the groups of the pods' own terms. Creates those that do not exist yet. */
const ownGroups = ({ terms, nodeAlternatives, preferences }: PodDemand, groups: TopologyGroups): Owned => {
  const inverse: TopologyGroup[] = []
  const demanded: TopologyGroup[] = []
  const affinity: TopologyGroup[] = []
  for (const term of terms) {
    const group = groups.of(term, false, nodeAlternatives, preferences.tolerations)
    if (!term.required) continue
    demanded.push(group)
    if (term.type === 'affinity') affinity.push(group)
    if (term.type !== 'anti-affinity') continue
    const own = groups.of(term, true, nodeAlternatives, preferences.tolerations)
    inverse.push(own)
    demanded.push(own)
  }
  return { inverseOwned: [...new Set(inverse)], demanded: [...new Set(demanded)], affinity: [...new Set(affinity)] }
}
