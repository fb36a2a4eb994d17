import { formatResources, labels, type Taint } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { offeringAllocatable, offeringCapacity, singleValues } from '@kerf/provider-contract'
import { CliError } from '@kerf/provider-kit/command-line'
import { CloudGroup, type SimulatedCloud } from '@kerf/sandbox'
import type { GroupNodes } from '../plan/migration-plan.ts'

/** Returns the zones and capacity types in which the group can launch the instance type. */
const offeringsFor = (group: GroupNodes, type: InstanceType) => {
  const found = type.offerings.map((offering) => ({ offering, of: singleValues(offering.requirements) }))
  const wanted = found.filter(
    ({ of }) =>
      of[labels.capacityType] === group.capacityType &&
      (group.zones.length === 0 || group.zones.includes(of[labels.zone] ?? '')),
  )
  const left = wanted.length > 0 ? wanted : found.filter(({ of }) => of[labels.capacityType] === group.capacityType)
  return left.length > 0 ? left : found
}

/**
 * Converts the group for the simulated cloud. Its nodes get the first of the group's instance types that is in Kerf's list of types.
 * @throws CliError if none of the group's types is known, or if the type has no offerings
 */
export const groupInstances = (
  group: GroupNodes,
  types: ReadonlyMap<string, InstanceType>,
  cloud: SimulatedCloud,
): CloudGroup => {
  const type = group.instanceTypes.flatMap((name) => types.get(name) ?? [])[0]
  if (type === undefined)
    throw new CliError(
      `node group ${group.name}: nothing is known of ${group.instanceTypes.join(', ') || 'its instance types'}; name a file that has them with --instance-types`,
    )
  const offerings = offeringsFor(group, type)
  const [first] = offerings
  if (first === undefined) throw new CliError(`node group ${group.name}: ${type.name} is offered nowhere`)
  return new CloudGroup(cloud, {
    name: group.name,
    min: group.min,
    max: group.max,
    instanceType: type.name,
    capacityType: first.of[labels.capacityType] ?? 'on-demand',
    zones: [...new Set(offerings.map(({ of }) => of[labels.zone] ?? ''))],
    template: {
      labels: {
        ...singleValues(type.requirements),
        ...group.labels,
        ...group.nodeLabels,
        [labels.instanceType]: type.name,
        [labels.capacityType]: first.of[labels.capacityType] ?? 'on-demand',
      },
      taints: group.taints as readonly Taint[],
      capacity: formatResources(offeringCapacity(type, first.offering)),
      allocatable: formatResources(offeringAllocatable(type, first.offering)),
    },
  })
}
