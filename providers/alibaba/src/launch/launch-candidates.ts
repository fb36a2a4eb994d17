import { type CapacityType, capacityTypes, labels, type NodeClaim } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { cheapestPrice, InsufficientCapacityError, offeringCoordinates } from '@kerf/provider-contract'
import {
  fittingOfferings,
  type LaunchDemand,
  type LaunchOption,
  launchDemand,
  launchOptions,
  truncateTypes,
} from '@kerf/provider-kit'
import { isBareMetal } from '../ecs-types/bare-metal.ts'

/** The maximum number of combinations of instance type and vSwitch in one API call. */
const MOST = 20

/** The options for launching a NodeClaim with one capacity type, best first. */
export interface LaunchCandidates {
  readonly capacityType: CapacityType
  readonly options: readonly LaunchOption[]
}

const hasMinValues = (requirements: readonly RequirementSpec[]): boolean =>
  requirements.some(({ minValues = 0 }) => minValues > 0)

const isSpecial = ({ name, capacity }: InstanceType): boolean =>
  isBareMetal(name) || (capacity['nvidia.com/gpu'] ?? 0n) > 0n || (capacity['amd.com/gpu'] ?? 0n) > 0n

/** Omits bare-metal and GPU instance types, unless there are no other types or minValues may need them. */
const withoutSpecial = (
  types: readonly InstanceType[],
  requirements: readonly RequirementSpec[],
): readonly InstanceType[] => {
  if (hasMinValues(requirements)) return types
  const plain = types.filter((type) => !isSpecial(type))
  return plain.length === 0 ? types : plain
}

/**
 * Returns the options for launching a NodeClaim (`providers/alibaba/docs/spec/alibaba.md#create`): spot first, then on-demand. Each
 * capacity type is included if the claim allows it and a matching offering exists. If the claim has no minValues, spot types that cost more
 * than the cheapest on-demand type are omitted. The list contains one zone of every type before the second zone of any type.
 *
 * @throws InsufficientCapacityError if no offering matches; MinValuesError if the cheapest types do not satisfy minValues.
 */
export const launchCandidates = (claim: NodeClaim, types: readonly InstanceType[]): readonly LaunchCandidates[] => {
  const demand = launchDemand(claim)
  const { requirements } = demand
  const fitting = types.filter((type) => fittingOfferings(type, demand).length > 0)
  if (fitting.length === 0)
    throw new InsufficientCapacityError(`no instance type that nodeclaim ${claim.metadata.name} admits is available`)
  const usual = withoutSpecial(fitting, requirements)
  const asSpot = withCapacityType(demand, capacityTypes.spot)
  const asOnDemand = withCapacityType(demand, capacityTypes.onDemand)
  const limit = Math.min(...usual.map((type) => cheapestPrice(type, asOnDemand.requirements)))
  const mayBeSpot = (type: InstanceType): boolean =>
    hasMinValues(requirements) || cheapestPrice(type, asSpot.requirements) <= limit
  return [
    { capacityType: capacityTypes.spot, options: ranked(usual.filter(mayBeSpot), asSpot) },
    { capacityType: capacityTypes.onDemand, options: ranked(usual, asOnDemand) },
  ].filter(({ options }) => options.length > 0)
}

const withCapacityType = ({ requirements, requests }: LaunchDemand, capacityType: CapacityType): LaunchDemand => ({
  requirements: [...requirements, { key: labels.capacityType, operator: 'In', values: [capacityType] }],
  requests,
})

/** Returns the options with the cheapest instance types, up to the maximum number for one call. */
const ranked = (types: readonly InstanceType[], demand: LaunchDemand): readonly LaunchOption[] => {
  const possible = types.filter((type) => fittingOfferings(type, demand).length > 0)
  if (possible.length === 0) return []
  const options = launchOptions(truncateTypes(possible, demand.requirements, MOST, 'Strict'), demand)
  const seen = new Map<string, number>()
  return options
    .map((option) => {
      const rank = seen.get(option.type.name) ?? 0
      seen.set(option.type.name, rank + 1)
      return { option, rank }
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ option }) => option)
}

/** Returns the zone of an option. */
export const optionZone = ({ type, offering }: LaunchOption): string => offeringCoordinates(type, offering).zone
