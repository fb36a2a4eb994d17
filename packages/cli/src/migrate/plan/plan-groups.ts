import { ownValue } from '@kerf/apis'
import type { SourceGroup } from '@kerf/provider-contract'
import { nodeGroupLabels } from '../../node-group-labels.ts'
import type { GroupNodes, KeptGroup, PlanGroup } from './migration-plan.ts'

/** Returns the labels that only the nodes of this group have. The result is empty if there are no such labels. */
export const nodeLabels = (group: SourceGroup, all: readonly SourceGroup[]): Readonly<Record<string, string>> => {
  if (group.nodeLabels !== undefined) return group.nodeLabels
  for (const key of [...nodeGroupLabels.map(({ label }) => label), ...Object.keys(group.labels)]) {
    const value = ownValue(group.labels, key)
    if (value !== undefined && all.every((other) => other === group || ownValue(other.labels, key) !== value))
      return { [key]: value }
  }
  return {}
}

const groupNodes = (group: SourceGroup, own: GroupNodes['nodeLabels']): GroupNodes => ({
  name: group.name,
  min: group.min,
  max: group.max,
  nodeLabels: own,
  instanceTypes: group.instanceTypes,
  capacityType: group.capacityTypes[0] ?? 'on-demand',
  zones: group.zones,
  labels: group.labels,
  taints: group.taints,
})

/** Minimum size of a kept group. With fewer nodes, the second replica of the controller could not be scheduled. */
const FEWEST = 2

/** Returns the groups that are migrated, with their NodePools, and the groups that are kept, with the reason. */
export const planGroups = (
  groups: readonly SourceGroup[],
  poolByGroup: ReadonlyMap<string, string>,
  kept: ReadonlyMap<string, string>,
  ownLabels: (group: SourceGroup) => GroupNodes['nodeLabels'],
): { readonly groups: readonly PlanGroup[]; readonly kept: readonly KeptGroup[] } => ({
  groups: groups
    .filter(({ name }) => !kept.has(name))
    .map((group) => ({ ...groupNodes(group, ownLabels(group)), pool: poolByGroup.get(group.name) ?? group.name })),
  kept: groups.flatMap((group): readonly KeptGroup[] => {
    const because = kept.get(group.name)
    if (because === undefined) return []
    return [{ ...groupNodes(group, ownLabels(group)), size: Math.max(FEWEST, group.min, group.desired), because }]
  }),
})
