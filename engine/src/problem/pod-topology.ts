import type { PodGroupRead, PodGroupTopology } from '../model/pod-group.ts'
import type { EmptyTemplate, Template } from '../model/template.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import {
  type ClusterCounts,
  type CountedPods,
  countRunningPods,
  inverseGroupsOfRunningPods,
} from '../topology/cluster-counts.ts'
import { Domains } from '../topology/domains.ts'
import { TopologyGroups } from '../topology/topology-groups.ts'

/** The second stage: the topology groups of all pods, their domains, and what the cluster has in each. */
export interface ProblemTopology {
  readonly groups: TopologyGroups
  readonly domains: Domains
  readonly clusterCounts: ClusterCounts
  /** By the number of the pod group. */
  readonly ofPodGroups: readonly PodGroupTopology[]
}

export const readTopology = (
  podGroups: readonly PodGroupRead[],
  pools: readonly (Template | EmptyTemplate)[],
  running: CountedPods,
): ProblemTopology => {
  const groups = new TopologyGroups()
  const owned = podGroups.map((podGroup) => ownGroups(podGroup, groups))
  inverseGroupsOfRunningPods(groups, running)
  const domains = new Domains(groups.keys, pools, running.nodes, running.rules)
  const clusterCounts = countRunningPods(groups, domains, running)
  // Who counts whom can be said only now that all groups exist.
  const ofPodGroups = podGroups.map(({ labels, refusal }, number): PodGroupTopology => {
    const { inverseOwned, demanded } = owned[number] ?? NO_GROUPS
    const counting = refusal !== undefined ? [] : groups.selecting(labels).filter(({ isInverse }) => !isInverse)
    return { counting, inverseOwned, demanded }
  })
  return { groups, domains, clusterCounts, ofPodGroups }
}

const NO_GROUPS = { inverseOwned: [], demanded: [] }

/** The groups of a pod group's own terms, made where they are not there yet. */
const ownGroups = (
  { terms, nodeAlternatives, preferences }: PodGroupRead,
  groups: TopologyGroups,
): Pick<PodGroupTopology, 'inverseOwned' | 'demanded'> => {
  const inverse: TopologyGroup[] = []
  const demanded: TopologyGroup[] = []
  for (const term of terms) {
    const group = groups.of(term, false, nodeAlternatives, preferences.tolerations)
    if (!term.required) continue
    demanded.push(group)
    if (term.type !== 'anti-affinity') continue
    const own = groups.of(term, true, nodeAlternatives, preferences.tolerations)
    inverse.push(own)
    demanded.push(own)
  }
  return { inverseOwned: [...new Set(inverse)], demanded: [...new Set(demanded)] }
}
