import type { Workload } from '../../doctor/workload.ts'
import type { SourceGroup } from '../groups/source-group.ts'

/** Keys of node labels that some workload asks for. Labels with other keys tell nobody anything. */
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

/** What pods can tell of a group's nodes, as text: groups with the same text are one to them. */
const seenOf = ({ labels, taints }: SourceGroup, asked: ReadonlySet<string>): string =>
  JSON.stringify([
    Object.entries(labels)
      .filter(([key]) => asked.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`).sort(),
  ])

/** Groups that pods cannot tell apart, together; those that a workload names stay alone. */
export const alikeGroups = (
  groups: readonly SourceGroup[],
  asked: ReadonlySet<string>,
  classOf: (group: string) => string,
  selected: ReadonlySet<string>,
): readonly (readonly SourceGroup[])[] => {
  const byLook = new Map<string, SourceGroup[]>()
  for (const group of groups) {
    // Requirements of one pool hold together: choices by attributes cannot be joined.
    const key =
      selected.has(group.name) || group.attributes !== undefined
        ? `alone ${group.name}`
        : `${classOf(group.name)} ${seenOf(group, asked)}`
    byLook.set(key, [...(byLook.get(key) ?? []), group])
  }
  return [...byLook.values()]
}
