import type { SourceGroup } from '@kerf/provider-contract'
import type { Workload } from '../../doctor/workload.ts'

/** Returns the keys of node labels that at least one workload refers to. Other keys do not affect scheduling. */
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

/** Returns as text what pods can distinguish of a group's nodes: labels and taints. Groups with the same text are alike. */
const visibleToPods = ({ labels, taints }: SourceGroup, asked: ReadonlySet<string>): string =>
  JSON.stringify([
    Object.entries(labels)
      .filter(([key]) => asked.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`).sort(),
  ])

/** Returns the groups, combined if pods cannot distinguish them. A group that a workload names is not combined. */
export const alikeGroups = (
  groups: readonly SourceGroup[],
  asked: ReadonlySet<string>,
  classOf: (group: string) => string,
  selected: ReadonlySet<string>,
): readonly (readonly SourceGroup[])[] => {
  const byLook = new Map<string, SourceGroup[]>()
  for (const group of groups) {
    // All requirements of a NodePool must hold, so groups that choose types by attributes cannot be combined.
    const key =
      selected.has(group.name) || group.attributes !== undefined
        ? `alone ${group.name}`
        : `${classOf(group.name)} ${visibleToPods(group, asked)}`
    byLook.set(key, [...(byLook.get(key) ?? []), group])
  }
  return [...byLook.values()]
}
