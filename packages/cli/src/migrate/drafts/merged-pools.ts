import type { SourceGroup } from '@kerf/provider-contract'
import type { Workload } from '../../doctor/workload.ts'

/** Returns the keys of node labels that at least one workload uses. Other keys do not affect scheduling. */
export const askedLabels = (workloads: readonly Workload[]): ReadonlySet<string> => {
  const keys = new Set<string>()
  for (const { pod } of workloads) {
    const { nodeSelector = {}, affinity, topologySpreadConstraints = [] } = pod.spec
    for (const key of Object.keys(nodeSelector)) keys.add(key)
    const {
      requiredDuringSchedulingIgnoredDuringExecution: required,
      preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
    } = affinity?.nodeAffinity ?? {}
    const terms = [...(required?.nodeSelectorTerms ?? []), ...preferred.map(({ preference }) => preference)]
    for (const { matchExpressions = [] } of terms) for (const { key } of matchExpressions) keys.add(key)
    for (const { topologyKey } of topologySpreadConstraints) keys.add(topologyKey)
  }
  return keys
}

/**
 * Returns, as one text, the labels and taints of a group's nodes that affect the scheduling of pods. Groups with equal texts can be
 * combined.
 */
const visibleToPods = ({ labels, taints }: SourceGroup, asked: ReadonlySet<string>): string =>
  JSON.stringify([
    Object.entries(labels)
      .filter(([key]) => asked.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`).sort(),
  ])

/**
 * Combines groups whose nodes pods cannot distinguish, and returns the lists of combined groups. A group that a workload selects by name is
 * not combined with others.
 */
export const alikeGroups = (
  groups: readonly SourceGroup[],
  asked: ReadonlySet<string>,
  classOf: (group: string) => string,
  selected: ReadonlySet<string>,
): readonly (readonly SourceGroup[])[] => {
  const byLook = new Map<string, SourceGroup[]>()
  for (const group of groups) {
    // A node must satisfy all requirements of a NodePool, so groups that choose instance types by attributes cannot be combined.
    const key =
      selected.has(group.name) || group.attributes !== undefined
        ? `alone ${group.name}`
        : `${classOf(group.name)} ${visibleToPods(group, asked)}`
    byLook.set(key, [...(byLook.get(key) ?? []), group])
  }
  return [...byLook.values()]
}
