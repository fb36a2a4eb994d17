import type { SourceGroup } from '../groups/source-group.ts'
import type { PlanGroup } from './migration-plan.ts'

/** The labels by which nodes of the group are told from all others; none when there are no such labels. */
const nodeLabelsOf = (
  group: SourceGroup,
  all: readonly SourceGroup[],
  grouping: string | undefined,
): Readonly<Record<string, string>> => {
  switch (group.origin) {
    case 'managed node group':
      return { 'eks.amazonaws.com/nodegroup': group.name }
    case 'eksctl node group':
      return { 'alpha.eksctl.io/nodegroup-name': group.name }
    case 'KWOK template':
      return grouping === undefined ? {} : { [grouping]: group.name }
    default: {
      for (const key of [
        'eks.amazonaws.com/nodegroup',
        'alpha.eksctl.io/nodegroup-name',
        'kops.k8s.io/instancegroup',
        ...Object.keys(group.labels),
      ]) {
        const value = group.labels[key]
        if (value !== undefined && all.every((other) => other === group || other.labels[key] !== value))
          return { [key]: value }
      }
      return {}
    }
  }
}

export const planGroups = (
  groups: readonly SourceGroup[],
  poolOf: ReadonlyMap<string, string>,
  grouping: string | undefined,
): readonly PlanGroup[] =>
  groups.map((group) => ({
    name: group.name,
    min: group.min,
    max: group.max,
    pool: poolOf.get(group.name) ?? group.name,
    nodeLabels: nodeLabelsOf(group, groups, grouping),
    instanceTypes: group.instanceTypes,
    capacityType: group.capacityTypes[0] ?? 'on-demand',
    zones: group.zones,
    labels: group.labels,
    taints: group.taints,
  }))
