import { type CapacityType, capacityTypes, labels } from '@kerf/apis'
import type { InstanceType, Offering, RequirementSpec } from '@kerf/engine'
import {
  admitsValue,
  cheapestPrice,
  comparePrices,
  InsufficientCapacityError,
  singleValue,
  usableOfferings,
} from '@kerf/provider-contract'
import { fittingOfferings, type LaunchDemand, MinValuesError, truncateTypes } from '@kerf/provider-kit'
import { awsLabels } from '../label-names.ts'
import { awsResources } from '../labels.ts'

/** Thrown before a call to EC2, if no offering is left to launch. */
export class NothingToLaunchError extends InsufficientCapacityError {}

/** The maximum number of instance types in one launch. */
const LAUNCH_TYPES = 60

/** The demand of a claim. */
export interface LaunchRequest extends LaunchDemand {
  readonly minValuesPolicy: 'Strict' | 'BestEffort'
}

/** Returns true if the requirements allow the value for the key. */
export const admits = (requirements: readonly RequirementSpec[], key: string, value: string): boolean =>
  requirements.filter((requirement) => requirement.key === key).every((requirement) => admitsValue(requirement, value))

export const offeringCapacityType = ({ requirements }: Offering): string | undefined =>
  singleValue(requirements, labels.capacityType)

/** Returns the kind of a reservation. Equally cheap kinds are preferred in the order default, capacity block, interruptible. */
const reservationKind = ({ requirements }: Offering): 'default' | 'capacity-block' | 'interruptible' => {
  if (singleValue(requirements, awsLabels.capacityReservationType) === 'capacity-block') return 'capacity-block'
  return singleValue(requirements, awsLabels.capacityReservationInterruptible) === 'true' ? 'interruptible' : 'default'
}

type Types = readonly InstanceType[]
const withOfferings = (type: InstanceType, offerings: readonly Offering[]): Types =>
  offerings.length === 0 ? [] : [{ ...type, offerings }]

/** Step a: keeps the available instance types that satisfy the request. */
const compatible = (types: Types, request: LaunchRequest): Types =>
  types.filter((type) => fittingOfferings(type, request).length > 0)

/**
 * Steps b, c, d: if the launch can use reservations, keeps only reserved offerings of one kind, and in each zone the one with the
 * most free capacity.
 */
const reservedFirst = (types: Types, { requirements }: LaunchRequest): Types => {
  if (!admits(requirements, labels.capacityType, capacityTypes.reserved)) return types
  const all = types.flatMap((type) =>
    usableOfferings(type, requirements)
      .filter((offering) => offeringCapacityType(offering) === capacityTypes.reserved)
      .map((offering) => ({ type, offering, kind: reservationKind(offering) })),
  )
  if (all.length === 0) return types
  const lowestPrice = (kind: string): number =>
    Math.min(
      ...all.filter((each) => each.kind === kind).map(({ offering }) => offering.price ?? Number.POSITIVE_INFINITY),
    )
  const [kind] = (['default', 'capacity-block', 'interruptible'] as const).toSorted(
    (a, b) => lowestPrice(a) - lowestPrice(b),
  )
  const chosen = all.filter((each) => each.kind === kind)
  if (kind === 'capacity-block') {
    const [first, ...rest] = chosen
    if (first === undefined) return types
    const { type, offering } = rest.reduce(
      (best, each) => (comparePrices(each.offering.price, best.offering.price) < 0 ? each : best),
      first,
    )
    return withOfferings(type, [offering])
  }
  return types.flatMap((type) => {
    const byZone = new Map<string, Offering>()
    for (const { offering } of chosen.filter((each) => each.type === type)) {
      const zone = singleValue(offering.requirements, labels.zone) ?? ''
      const best = byZone.get(zone)
      if (best === undefined || (offering.reservationCapacity ?? 0) > (best.reservationCapacity ?? 0))
        byZone.set(zone, offering)
    }
    return withOfferings(type, [...byZone.values()])
  })
}

const EXOTIC = [
  awsResources.nvidiaGpu,
  awsResources.amdGpu,
  awsResources.gaudi,
  awsResources.neuron,
  awsResources.neuronCore,
]

/** Step e: excludes bare metal and accelerators unless the pods requested them or no other instance types remain. */
const ordinary = (types: Types): Types => {
  const plain = types.filter(
    ({ requirements, capacity }) =>
      !(singleValue(requirements, awsLabels.size) ?? '').includes('metal') &&
      EXOTIC.every((resource) => (capacity[resource] ?? 0n) === 0n),
  )
  return plain.length === 0 ? types : plain
}

/** Step f: excludes spot offerings that cost more than the cheapest on-demand offering. */
const sensibleSpot = (types: Types, { requirements }: LaunchRequest): Types => {
  const cheapest = (capacityType: string): number =>
    Math.min(
      ...types.flatMap((type) =>
        usableOfferings(type, requirements)
          .filter((offering) => offeringCapacityType(offering) === capacityType)
          .map(({ price = Number.POSITIVE_INFINITY }) => price),
      ),
      Number.POSITIVE_INFINITY,
    )
  const [onDemand, spot] = [cheapest(capacityTypes.onDemand), cheapest(capacityTypes.spot)]
  if (!Number.isFinite(onDemand) || !Number.isFinite(spot)) return types
  return types.flatMap((type) => {
    const offerings = type.offerings.filter(
      (offering) =>
        offeringCapacityType(offering) !== capacityTypes.spot ||
        (offering.price ?? Number.POSITIVE_INFINITY) <= onDemand,
    )
    if (offerings.length === type.offerings.length) return [type]
    return usableOfferings({ ...type, offerings }, requirements).length === 0 ? [] : withOfferings(type, offerings)
  })
}

/**
 * Returns at most sixty instance types that a launch may use, with their offerings, cheapest first
 * (`providers/aws/docs/spec/aws.md#instances`, step 1). Does not modify the input.
 *
 * @throws InsufficientCapacityError when no type is left, or too few types for `minValues`.
 */
export const launchCandidates = (types: readonly InstanceType[], request: LaunchRequest): readonly InstanceType[] => {
  const { requirements } = request
  const hasMinValues = requirements.some(({ minValues }) => minValues !== undefined)
  const none = (): InsufficientCapacityError =>
    new NothingToLaunchError('no available instance type meets the requirements and requests')
  const fitting = compatible(types, request)
  if (fitting.length === 0) throw none()
  const settled = reservedFirst(fitting, request)
  const narrowed = hasMinValues ? settled : sensibleSpot(ordinary(settled), request)
  const usable = narrowed.filter((type) => Number.isFinite(cheapestPrice(type, requirements)))
  if (usable.length === 0) throw none()
  try {
    return truncateTypes(usable, requirements, LAUNCH_TYPES, request.minValuesPolicy)
  } catch (error) {
    if (error instanceof MinValuesError) throw new NothingToLaunchError(error.message, { cause: error })
    throw error
  }
}

/** Returns the capacity type of the launch: the first of reserved, spot and on-demand that is allowed and available. */
export const launchCapacityType = (
  types: readonly InstanceType[],
  requirements: readonly RequirementSpec[],
): CapacityType => {
  for (const capacityType of [capacityTypes.reserved, capacityTypes.spot]) {
    if (!admits(requirements, labels.capacityType, capacityType)) continue
    const isThere = types.some((type) =>
      usableOfferings(type, requirements).some((offering) => offeringCapacityType(offering) === capacityType),
    )
    if (isThere) return capacityType
  }
  return capacityTypes.onDemand
}

/** Returns shared tenancy unless only dedicated tenancy is allowed. */
export const launchTenancy = (requirements: readonly RequirementSpec[]): 'default' | 'dedicated' =>
  admits(requirements, awsLabels.tenancy, 'default') ? 'default' : 'dedicated'
