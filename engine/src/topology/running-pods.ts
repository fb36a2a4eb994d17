import { isActive, type Namespace, type Pod } from '@kerf/apis'
import type { ExistingNode } from '../model/existing-node.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import { oncePerObject } from '../once-per-object.ts'
import { type PodForm, podFormOf } from '../pods/pod-form.ts'
import { namespaceOf } from '../pods/pod-name.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import { type Domains, passesFilter } from './domains.ts'
import { affinityTerm } from './term.ts'
import type { PodLabelSets, TopologyGroups } from './topology-groups.ts'

/** What is found out about a pod is found out about its kind. Answers it for each pod of a snapshot that runs and stays. */
const forForms = <T>(find: (pod: Pod) => T): ((pod: Pod) => T) => {
  const found = new Map<PodForm, T>()
  return (pod) => {
    const form = podFormOf(pod)
    const known = form === undefined ? undefined : found.get(form)
    if (known !== undefined) return known
    const result = find(pod)
    if (form !== undefined) found.set(form, result)
    return result
  }
}

const requiredAntiAffinity = (pod: Pod) =>
  pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []

/** The groups of a pod's required anti-affinity. A term that is written twice is one. */
const inverseGroupsOf = (
  pod: Pod,
  namespaces: readonly Namespace[],
  groups: TopologyGroups,
  rules: LabelRules,
): ReadonlySet<TopologyGroup> =>
  new Set(
    requiredAntiAffinity(pod).map((term) =>
      groups.of(affinityTerm('anti-affinity', pod, term, true, namespaces, rules), true, [], []),
    ),
  )

/** Pods of a node that keep others away. Few nodes have any, and the list is the same until one of its pods changes. */
const podsWithAntiAffinity = oncePerObject((pods: readonly Pod[]): readonly Pod[] =>
  pods.filter((pod) => isActive(pod) && requiredAntiAffinity(pod).length > 0),
)

/**
 * Pods that run and keep others away: their anti-affinity terms, each counted where its pod is
 * (`docs/spec/scheduling.md#groups-of-a-pod`).
 */
export const inverseGroupsOfRunningPods = (
  nodes: readonly ExistingNode[],
  leaving: ReadonlySet<Pod>,
  namespaces: readonly Namespace[],
  groups: TopologyGroups,
  rules: LabelRules,
): void => {
  const makeGroups = forForms((pod) => inverseGroupsOf(pod, namespaces, groups, rules))
  for (const { state } of nodes) {
    for (const pod of podsWithAntiAffinity(state.pods)) if (!leaving.has(pod)) makeGroups(pod)
  }
}

/**
 * Counts the pods that run into all groups. Pods of the batch are left out, so nobody counts twice; a pod in a domain
 * that no group knew adds the domain.
 */
export const countRunningPods = (
  nodes: readonly ExistingNode[],
  leaving: ReadonlySet<Pod>,
  groups: TopologyGroups,
  domains: Domains,
  labelSets: PodLabelSets,
  namespaces: readonly Namespace[],
  rules: LabelRules,
): void => {
  if (groups.list.length === 0) return
  const count = (group: TopologyGroup, node: ExistingNode, host: number) => {
    if (group.isHost) {
      group.hosts.add(host, 1)
      return
    }
    const value = node.labelValues.get(group.key)
    const domain = value === undefined ? undefined : domains.numberOf(group.keyNumber, value)
    if (domain === undefined) return
    group.registered[domain] = 1
    group.counts[domain] = (group.counts[domain] ?? 0) + 1
  }
  const countedBy = forForms((pod) => ({
    selecting: groups
      .selecting(labelSets.of(namespaceOf(pod), pod.metadata.labels))
      .filter(({ isInverse }) => !isInverse),
    owned: inverseGroupsOf(pod, namespaces, groups, rules),
  }))
  for (const [host, node] of nodes.entries()) {
    for (const pod of node.state.pods) {
      if (leaving.has(pod) || !isActive(pod)) continue
      const { selecting, owned } = countedBy(pod)
      for (const group of selecting) {
        if (passesFilter(group.filter, node.requirements, node.taints)) count(group, node, host)
      }
      for (const group of owned) count(group, node, host)
    }
  }
}
