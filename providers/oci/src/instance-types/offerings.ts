import { capacityTypes, labels, type Taint, type UsdPerHour } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import { zoneOfDomain } from '../availability-domain.ts'
import { oracleLabels, PREEMPTIBLE } from '../names.ts'
import type { ResolvedClass, ResolvedPlacement } from '../node-class/resolved-class.ts'
import { canBeInComputeCluster, canBePreemptible, type PreemptibleShapes } from './shape-lists.ts'
import { hourlyPrice, type ShapeRates } from './shape-rates.ts'
import type { SizedShape } from './sized-shape.ts'

/** The instances of one size in a capacity reservation. */
export interface ReservedSize {
  readonly shape: string
  /** Absent for a fixed shape. */
  readonly ocpus?: number
  readonly memoryInGBs?: number
  readonly faultDomain?: string
  readonly reserved: number
  readonly used: number
}

/** The zones and the prices of shapes. */
export interface Market {
  readonly region: string
  /** Returns the zones in which the shape exists, sorted: names of availability domains without the tenancy's prefix. */
  zones(shape: string): readonly string[]
  /** Returns undefined if the prices of the shape are unknown. */
  rates(shape: string): ShapeRates | undefined
  /** Returns the sizes in a capacity reservation. Empty until Kerf has read them. */
  reservedSizes(reservationId: string): readonly ReservedSize[]
}

/** Oracle's provider offers preemptible instances only if the NodePool has this taint. */
export const PREEMPTIBLE_TAINT = 'oci.oraclecloud.com/oke-is-preemptible'
/** The price of preemptible instances, and of unused reserved instances, as a fraction of the on-demand price (Oracle's price list). */
const PREEMPTIBLE_SHARE = 0.5
const RESERVED_SHARE = 0.85

const is = (key: string, value: string): RequirementSpec => ({ key, operator: 'In', values: [value] })
const isAbsent = (key: string): RequirementSpec => ({ key, operator: 'DoesNotExist' })

const shareOf = (price: UsdPerHour | undefined, share: number): UsdPerHour | undefined =>
  price === undefined ? undefined : Number((price * share).toFixed(10))

/** Returns the label value of a reservation: the last part of its OCID, which has at most 63 characters [interop]. */
export const reservationLabel = (ocid: string): string => (ocid.split('.').at(-1) ?? '').slice(-63)

export const hasNoScheduleTaint = (taints: readonly Taint[], ...keys: readonly string[]): boolean =>
  taints.some(({ key, effect }) => effect === 'NoSchedule' && keys.includes(key))

/** Returns the zones in which the class allows instances of the shape. */
const allowedZones = (shape: string, nodeClass: ResolvedClass, zones: readonly string[]): ReadonlySet<string> => {
  const { computeCluster, placementGroups } = nodeClass
  // An empty name means that the placement's availability domain is unknown, so every zone matches.
  const isIn = (zone: string, places: readonly ResolvedPlacement[]): boolean =>
    places.some(({ availabilityDomain }) => availabilityDomain === '' || zoneOfDomain(availabilityDomain) === zone)
  const within = (places: readonly ResolvedPlacement[]): ReadonlySet<string> =>
    new Set(zones.filter((zone) => isIn(zone, places)))
  if (computeCluster !== undefined) return canBeInComputeCluster(shape) ? within([computeCluster]) : new Set()
  return placementGroups.length > 0 ? within(placementGroups) : new Set(zones)
}

const reservedOfferings = (
  size: SizedShape,
  { capacityReservations }: ResolvedClass,
  price: UsdPerHour | undefined,
  market: Market,
) =>
  capacityReservations.flatMap(({ id, availabilityDomain }): readonly Offering[] => {
    const isFlexible = size.baseline !== undefined
    const sizes = market
      .reservedSizes(id)
      .filter(
        ({ shape, ocpus, memoryInGBs }) =>
          shape === size.facts.name && (!isFlexible || (ocpus === size.ocpus && memoryInGBs === size.memoryInGBs)),
      )
    return [...Map.groupBy(sizes, ({ faultDomain }) => faultDomain)].map(([faultDomain, group]) => {
      const left = group.reduce((sum, { reserved, used }) => sum + Math.max(0, reserved - used), 0)
      return {
        requirements: [
          is(labels.capacityType, capacityTypes.reserved),
          is(labels.zone, zoneOfDomain(availabilityDomain)),
          is(oracleLabels.reservationId, reservationLabel(id)),
          ...(faultDomain === undefined ? [] : [is(oracleLabels.faultDomain, faultDomain)]),
        ],
        price: shareOf(price, RESERVED_SHARE),
        available: left > 0,
        reservationCapacity: left,
      }
    })
  })

export interface OfferingSettings {
  readonly preemptible: PreemptibleShapes
}

/** Returns the offerings of a size, for each zone and capacity type (`providers/oci/docs/spec/oci.md#offerings`). */
export const typeOfferings = (
  size: SizedShape,
  nodeClass: ResolvedClass,
  taints: readonly Taint[],
  market: Market,
  { preemptible }: OfferingSettings,
): readonly Offering[] => {
  const { upstream, secondaryVnics } = nodeClass
  const { name, isAlwaysFree } = size.facts
  const zones = market.zones(name)
  const rates = market.rates(name)
  const price = rates === undefined ? undefined : hourlyPrice(size, rates)
  const hasVnics = (size.maxVnics ?? Number.POSITIVE_INFINITY) > secondaryVnics.length
  const canLaunch = !isAlwaysFree && hasVnics
  const allowed = allowedZones(name, nodeClass, zones)
  const withoutReservation = upstream === 'oracle' ? [isAbsent(oracleLabels.reservationId)] : []
  const inZones = (capacityType: string, share: number): readonly Offering[] =>
    zones.map((zone) => ({
      requirements: [is(labels.capacityType, capacityType), is(labels.zone, zone), ...withoutReservation],
      price: shareOf(price, share),
      available: canLaunch && allowed.has(zone),
    }))
  const reserved = canLaunch ? reservedOfferings(size, nodeClass, price, market) : []
  const isBurstable = size.baseline !== undefined && size.baseline !== 'BASELINE_1_1'
  const hasPreemptible =
    canBePreemptible(name, upstream, preemptible) &&
    !isBurstable &&
    reserved.length === 0 &&
    (upstream === 'community' || hasNoScheduleTaint(taints, PREEMPTIBLE_TAINT))
  return [
    ...inZones(capacityTypes.onDemand, 1),
    ...(hasPreemptible ? inZones(PREEMPTIBLE[upstream], PREEMPTIBLE_SHARE) : []),
    ...reserved,
  ]
}
