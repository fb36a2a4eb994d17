import { capacityTypes, labels } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import type { InsufficientCapacity, Prices } from '@kerf/provider-kit'
import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import { awsLabels, ZONE_ID_LABEL } from '../label-names.ts'
import type { CapacityReservation, NodeClassTraits } from '../node-class/node-class-traits.ts'
import { findIncompatibility } from './compatibility.ts'
import { capacityScopes, quotaScope } from './insufficient-capacity.ts'

/** Returns the capacity types of the instance type. */
export const supportedCapacityTypes = (type: Ec2InstanceType): readonly ('on-demand' | 'spot')[] =>
  ([capacityTypes.onDemand, capacityTypes.spot] as const).filter((each) => type.SupportedUsageClasses?.includes(each))

/** Returns the partition numbers that an instance can have, starting at 1. Undefined without a partition placement group. */
export const placementPartitions = ({ placementGroup }: NodeClassTraits): readonly string[] | undefined =>
  placementGroup?.strategy === 'partition'
    ? Array.from({ length: placementGroup.partitions ?? 0 }, (_, index) => `${index + 1}`)
    : undefined

/** The data that offerings depend on, in addition to the instance type and the node class. */
export interface Market {
  readonly prices: Prices
  readonly insufficient: Pick<InsufficientCapacity, 'reasonFor'>
  /** All zones that offer at least one instance type. */
  readonly zones: readonly string[]
  /** The subnet ids of the node class by zone. */
  readonly subnets: ReadonlyMap<string, readonly string[]>
  /** Zones that traffic was shifted away from. */
  readonly shiftedZones: ReadonlySet<string>
  /** Returns the free capacity of a reservation in instances. */
  readonly reservationCapacity: (reservationId: string) => number
  /** The feature gate ReservedCapacity. */
  readonly reservedCapacity: boolean
}

/** The divisor for prices of reserved offerings. The result is almost zero, but keeps the order of the instance types' prices. */
const RESERVED_PART = 10_000_000

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

/** Requirements by key, shared by all types of a node class, because a region has tens of thousands of offerings. */
type SharedRequirements = Map<string, readonly RequirementSpec[]>

const sharedByTraits = new WeakMap<NodeClassTraits, SharedRequirements>()

/** The capacity type, zone and partition of an offering. */
interface Place {
  readonly capacityType: string
  readonly zone: string
  /** The number of the partition, starting at 1. Undefined without a partition placement group. */
  readonly partition: string | undefined
}

/** The offerings of one instance type for one node class. */
class TypeOfferings {
  readonly #type: Ec2InstanceType
  readonly #traits: NodeClassTraits
  readonly #market: Market
  readonly #offeredIn: ReadonlySet<string>
  readonly #name: string
  readonly #isCompatible: boolean
  readonly #partitions: readonly (string | undefined)[]
  readonly #shared: SharedRequirements

  constructor(type: Ec2InstanceType, traits: NodeClassTraits, market: Market, offeredIn: ReadonlySet<string>) {
    this.#type = type
    this.#traits = traits
    this.#market = market
    this.#offeredIn = offeredIn
    this.#name = type.InstanceType ?? ''
    this.#isCompatible = findIncompatibility(type, traits) === undefined
    this.#partitions = placementPartitions(traits) ?? [undefined]
    this.#shared = sharedByTraits.get(traits) ?? new Map()
    sharedByTraits.set(traits, this.#shared)
  }

  /** Returns on-demand and spot offerings, in each zone and partition. */
  unreserved(): readonly Offering[] {
    const { prices, zones } = this.#market
    return zones.flatMap((zone) =>
      supportedCapacityTypes(this.#type).flatMap((capacityType) => {
        const price = capacityType === capacityTypes.spot ? prices.spot(this.#name, zone) : prices.onDemand(this.#name)
        return this.#partitions.map((partition) => {
          const place = { capacityType, zone, partition }
          return {
            requirements: this.#sharedFor(place, 'unreserved', () => [
              ...this.#placeRequirements(place),
              ...RESERVATION_LABELS.map(lacks),
            ]),
            price,
            // An offering without a known price is never launched, but stays listed for existing nodes.
            available: price !== undefined && this.#isAvailable(place),
          }
        })
      }),
    )
  }

  /** Returns one offering for each reservation of the node class for this instance type, in each partition. */
  reserved(): readonly Offering[] {
    if (!this.#market.reservedCapacity) return []
    const price = (this.#market.prices.onDemand(this.#name) ?? 0) / RESERVED_PART
    const own = this.#traits.reservations.filter(({ instanceType }) => instanceType === this.#name)
    return own.flatMap((reservation) => {
      const left = this.#market.reservationCapacity(reservation.id)
      return this.#partitions.map((partition) => {
        const place = { capacityType: capacityTypes.reserved, zone: reservation.availabilityZone, partition }
        return {
          requirements: [
            ...this.#sharedFor(place, '', () => this.#placeRequirements(place)),
            ...reservationRequirements(reservation),
          ],
          price,
          available: left !== 0 && reservation.state !== 'expiring' && this.#isAvailable(place),
          reservationCapacity: left,
        }
      })
    })
  }

  #isAvailable({ capacityType, zone, partition }: Place): boolean {
    const { shiftedZones, subnets, insufficient } = this.#market
    const { zones, placementGroup } = this.#traits
    if (!this.#isCompatible || !this.#offeredIn.has(zone) || !zones.has(zone) || shiftedZones.has(zone)) return false
    const scopes = [...capacityScopes(placementGroup, partition), quotaScope(this.#name, capacityType)]
    const place = { scopes, subnets: subnets.get(zone) ?? [] }
    return insufficient.reasonFor({ capacityType, instanceType: this.#name, zone }, place) === undefined
  }

  #sharedFor(
    { capacityType, zone, partition }: Place,
    variant: string,
    make: () => readonly RequirementSpec[],
  ): readonly RequirementSpec[] {
    const key = `${capacityType}/${zone}/${partition ?? ''}/${variant}`
    const known = this.#shared.get(key)
    if (known !== undefined) return known
    const made = make()
    this.#shared.set(key, made)
    return made
  }

  #placeRequirements({ capacityType, zone, partition }: Place): readonly RequirementSpec[] {
    const { zones, placementGroup } = this.#traits
    const zoneId = zones.get(zone)
    return [
      is(labels.capacityType, capacityType),
      is(labels.zone, zone),
      ...(zoneId === undefined ? [] : [is(ZONE_ID_LABEL, zoneId)]),
      ...(placementGroup === undefined ? [] : [is(awsLabels.placementGroupId, placementGroup.id)]),
      ...(partition === undefined ? [] : [is(awsLabels.placementGroupPartition, partition)]),
    ]
  }
}

/**
 * Returns all offerings of the type for the node class (`providers/aws/docs/spec/aws.md#offerings`). There is one for each zone and
 * capacity type, and one for each matching reservation. On-demand and spot offerings are unavailable while their price is unknown. With a
 * partition placement group, each offering exists once per partition.
 */
export const awsOfferings = (
  type: Ec2InstanceType,
  traits: NodeClassTraits,
  market: Market,
  offeredIn: ReadonlySet<string>,
): readonly Offering[] => {
  const offerings = new TypeOfferings(type, traits, market, offeredIn)
  return [...offerings.unreserved(), ...offerings.reserved()]
}
