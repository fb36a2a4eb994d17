import { ownValue } from '@kerf/apis'
import type { SourceGroup } from '../groups/source-group.ts'
import type { GroupNodes, KeptGroup, PlanGroup } from './migration-plan.ts'

/** Returns labels that only the nodes of the group have. Returns an empty object if there are no such labels. */
export const nodeLabelsOf = (
  group: SourceGroup,
  all: readonly SourceGroup[],
  grouping: string | undefined,
): Readonly<Record<string, string>> => {
  switch (group.origin) {
    case 'managed node group':
      return { 'eks.amazonaws.com/nodegroup': group.name }
    case 'eksctl node group':
      return { 'alpha.eksctl.io/nodegroup-name': group.name }
    case 'AKS node pool':
      return { 'kubernetes.azure.com/agentpool': group.name }
    case 'KWOK template':
      return grouping === undefined ? {} : { [grouping]: group.name }
    default: {
      for (const key of [
        'eks.amazonaws.com/nodegroup',
        'alpha.eksctl.io/nodegroup-name',
        'kops.k8s.io/instancegroup',
        ...Object.keys(group.labels),
      ]) {
        const value = ownValue(group.labels, key)
        if (value !== undefined && all.every((other) => other === group || ownValue(other.labels, key) !== value))
          return { [key]: value }
      }
      return {}
    }
  }
}

const groupNodes = (group: SourceGroup, nodeLabels: GroupNodes['nodeLabels']): GroupNodes => ({
  name: group.name,
  min: group.min,
  max: group.max,
  nodeLabels,
  instanceTypes: group.instanceTypes,
  capacityType: group.capacityTypes[0] ?? 'on-demand',
  zones: group.zones,
  labels: group.labels,
  taints: group.taints,
})

/** Minimum size of a kept group. With fewer nodes, the second replica of the controller could not be scheduled. */
const FEWEST = 2

/** Returns the groups that move, with their NodePools, and the groups that stay, with the reason. */
export const planGroups = (
  groups: readonly SourceGroup[],
  poolOf: ReadonlyMap<string, string>,
  kept: ReadonlyMap<string, string>,
  labelsOf: (group: SourceGroup) => GroupNodes['nodeLabels'],
): { readonly groups: readonly PlanGroup[]; readonly kept: readonly KeptGroup[] } => ({
  groups: groups
    .filter(({ name }) => !kept.has(name))
    .map((group) => ({ ...groupNodes(group, labelsOf(group)), pool: poolOf.get(group.name) ?? group.name })),
  kept: groups.flatMap((group): readonly KeptGroup[] => {
    const because = kept.get(group.name)
    if (because === undefined) return []
    return [{ ...groupNodes(group, labelsOf(group)), size: Math.max(FEWEST, group.min, group.desired), because }]
  }),
})
