import { awsLabels, capacityTypes, labels, ZONE_ID_LABEL } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import type { CapacityReservation, NodeClassTraits } from '../node-class/node-class-traits.ts'
import type { Prices } from '../pricing/prices.ts'
import { incompatibilityOf } from './compatibility.ts'
import type { InsufficientCapacity } from './insufficient-capacity.ts'

/** The capacity types that the type can be bought in, for this node class. */
export const capacityTypesOf = (type: Ec2InstanceType): readonly ('on-demand' | 'spot')[] =>
  ([capacityTypes.onDemand, capacityTypes.spot] as const).filter((each) => type.SupportedUsageClasses?.includes(each))

/** The partitions an instance may land in, from 1; absent without a partition group. */
export const partitionsOf = ({ placementGroup }: NodeClassTraits): readonly string[] | undefined =>
  placementGroup?.strategy === 'partition'
    ? Array.from({ length: placementGroup.partitions ?? 0 }, (_, index) => `${index + 1}`)
    : undefined

/** The state of the world that offerings depend on. */
export interface Market {
  readonly prices: Prices
  readonly insufficient: Pick<InsufficientCapacity, 'reasonFor'>
  /** Every zone that any instance type is offered in. */
  readonly zones: readonly string[]
  /** Ids of the node class's subnets by zone. */
  readonly subnets: ReadonlyMap<string, readonly string[]>
  /** Zones that traffic was shifted away from. */
  readonly shiftedZones: ReadonlySet<string>
  /** Instances left in a reservation. */
  readonly reservationCapacity: (reservationId: string) => number
  /** The feature gate ReservedCapacity. */
  readonly reservedCapacity: boolean
}

/** A reserved offering costs next to nothing, and still more where the instance is dearer. */
const RESERVED_PART = 10_000_000

/** Nobody buys what nobody knows the price of; but the nodes that were bought so are what is offered. */
const UNKNOWN_PRICE = 0

const is = (key: string, value: string): RequirementSpec => ({ key, operator: 'In', values: [value] })
const lacks = (key: string): RequirementSpec => ({ key, operator: 'DoesNotExist' })

const RESERVATION_LABELS = [
  awsLabels.capacityReservationId,
  awsLabels.capacityReservationType,
  awsLabels.capacityReservationInterruptible,
]

const reservationRequirements = (reservation: CapacityReservation): readonly RequirementSpec[] => [
  is(awsLabels.capacityReservationId, reservation.id),
  is(awsLabels.capacityReservationType, reservation.reservationType ?? 'default'),
  is(awsLabels.capacityReservationInterruptible, `${reservation.interruptible ?? false}`),
]

const placesOf = new WeakMap<NodeClassTraits, Map<string, readonly RequirementSpec[]>>()

/** Requirements that all types of a class have in common are one object: a region has tens of thousands of offerings. */
const sharedPlaces = (
  traits: NodeClassTraits,
): ((key: string, make: () => readonly RequirementSpec[]) => readonly RequirementSpec[]) => {
  const places = placesOf.get(traits) ?? new Map<string, readonly RequirementSpec[]>()
  placesOf.set(traits, places)
  return (key, make) => {
    const known = places.get(key)
    if (known !== undefined) return known
    const made = make()
    places.set(key, made)
    return made
  }
}

/**
 * Every way to buy the type for the node class (`docs/spec/aws.md#offerings`): each zone and capacity type, closed
 * where the price is not known, and each matching reservation; with a partition group, each of them in each partition.
 */
export const offeringsOf = (
  type: Ec2InstanceType,
  traits: NodeClassTraits,
  market: Market,
  offeredIn: ReadonlySet<string>,
): readonly Offering[] => {
  const name = type.InstanceType ?? ''
  const { placementGroup } = traits
  const isCompatible = incompatibilityOf(type, traits) === undefined
  const partitions = partitionsOf(traits) ?? [undefined]

  const isOpen = (capacityType: string, zone: string, partition: string | undefined): boolean => {
    if (!isCompatible || !offeredIn.has(zone) || !traits.zones.has(zone) || market.shiftedZones.has(zone)) return false
    const scope = {
      subnets: market.subnets.get(zone) ?? [],
      ...(placementGroup === undefined ? {} : { placementGroup }),
      ...(partition === undefined ? {} : { partition }),
    }
    return market.insufficient.reasonFor({ capacityType, instanceType: name, zone }, scope) === undefined
  }

  const shared = sharedPlaces(traits)
  const place = (capacityType: string, zone: string, partition: string | undefined): readonly RequirementSpec[] =>
    shared(`${capacityType}/${zone}/${partition ?? ''}`, () => placeRequirements(capacityType, zone, partition))

  const placeRequirements = (
    capacityType: string,
    zone: string,
    partition: string | undefined,
  ): readonly RequirementSpec[] => {
    const zoneId = traits.zones.get(zone)
    return [
      is(labels.capacityType, capacityType),
      is(labels.zone, zone),
      ...(zoneId === undefined ? [] : [is(ZONE_ID_LABEL, zoneId)]),
      ...(placementGroup === undefined ? [] : [is(awsLabels.placementGroupId, placementGroup.id)]),
      ...(partition === undefined ? [] : [is(awsLabels.placementGroupPartition, partition)]),
    ]
  }

  const bought = market.zones.flatMap((zone) =>
    capacityTypesOf(type).flatMap((capacityType) => {
      const price = capacityType === capacityTypes.spot ? market.prices.spot(name, zone) : market.prices.onDemand(name)
      return partitions.map((partition) => ({
        requirements: shared(`${capacityType}/${zone}/${partition ?? ''}/unreserved`, () => [
          ...place(capacityType, zone, partition),
          ...RESERVATION_LABELS.map(lacks),
        ]),
        price: price ?? UNKNOWN_PRICE,
        available: price !== undefined && isOpen(capacityType, zone, partition),
      }))
    }),
  )

  const reservations = market.reservedCapacity
    ? traits.reservations.filter(({ instanceType }) => instanceType === name)
    : []
  const reserved = reservations.flatMap((reservation) => {
    const zone = reservation.availabilityZone
    const left = market.reservationCapacity(reservation.id)
    return partitions.map((partition) => ({
      requirements: [...place(capacityTypes.reserved, zone, partition), ...reservationRequirements(reservation)],
      price: (market.prices.onDemand(name) ?? 0) / RESERVED_PART,
      available: left !== 0 && reservation.state !== 'expiring' && isOpen(capacityTypes.reserved, zone, partition),
      reservationCapacity: left,
    }))
  })
  return [...bought, ...reserved]
}
