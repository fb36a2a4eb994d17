import { labels } from '@kerf/apis'
import type { ClusterSnapshot, PlannedClaim, RequirementSpec } from '@kerf/engine'
import { admitsValue } from '@kerf/provider-contract'

const isOpen = (requirements: readonly RequirementSpec[], key: string, value: string | undefined): boolean =>
  value === undefined ||
  requirements.filter((requirement) => requirement.key === key).every((requirement) => admitsValue(requirement, value))

/** Returns a function that lists, in order, the zones in which at least one instance type of a planned claim can be launched. */
export const claimZones = ({ pools }: ClusterSnapshot): ((claim: PlannedClaim) => readonly string[]) => {
  const typesOf = new Map(pools.map(({ nodePool, instanceTypes }) => [nodePool.metadata.name, instanceTypes]))
  return ({ nodePool, instanceTypes, requirements }) => {
    const names = new Set(instanceTypes)
    const zones = new Set<string>()
    for (const type of typesOf.get(nodePool) ?? []) {
      if (!names.has(type.name)) continue
      for (const offering of type.offerings) {
        if (!offering.available) continue
        const zone = offering.requirements.find(({ key }) => key === labels.zone)?.values?.[0]
        const fits = offering.requirements.every(({ key, values }) => isOpen(requirements, key, values?.[0]))
        if (zone !== undefined && fits) zones.add(zone)
      }
    }
    return [...zones].sort()
  }
}
