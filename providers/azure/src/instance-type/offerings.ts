import { azureLabels, capacityTypes, labels, type UsdPerHour } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import type { VmSize } from '../sizes/vm-size.ts'
import { placementScopeOf, REGIONAL, zoneLabel, zoneOfLabel } from './zones.ts'

/** What a size costs, and whether it can be had. */
export interface Market {
  readonly location: string
  onDemandPrice(size: string): UsdPerHour | undefined
  spotPrice(size: string): UsdPerHour | undefined
  /** Whether nothing is known against the offering: neither a failed launch nor the quota. */
  isAvailable(size: VmSize, zone: string, capacityType: 'on-demand' | 'spot'): boolean
}

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

const hasUltraSsd = ({ ultraSsd }: VmSize, zone: string | undefined): boolean =>
  zone === undefined ? ultraSsd.withoutZone : ultraSsd.zones.includes(zone)

/**
 * The size in every zone and in no zone, on demand and as spot (`docs/spec/azure.md#offerings`). Both stay in the list when they
 * cannot be had.
 */
export const offeringsOf = (size: VmSize, market: Market): readonly Offering[] => {
  const former = (size.formerZones ?? []).map((zone) => zoneLabel(market.location, zone))
  const zones = [...size.zones.map((zone) => zoneLabel(market.location, zone)), ...former, REGIONAL]
  return zones.flatMap((zone) =>
    (['on-demand', 'spot'] as const).map((capacityType): Offering => {
      const isSpot = capacityType === capacityTypes.spot
      const priority = isSpot ? 'spot' : 'regular'
      const ultraSsd = hasUltraSsd(size, zoneOfLabel(zone)) ? ['true', 'false'] : ['false']
      return {
        requirements: [
          is(labels.capacityType, capacityType),
          is(labels.zone, zone),
          is(azureLabels.scaleSetPriority, priority),
          is(azureLabels.priority, priority),
          is(azureLabels.placementScope, placementScopeOf(zone)),
          is(azureLabels.ultraSsd, ...ultraSsd),
        ],
        price: isSpot ? market.spotPrice(size.name) : market.onDemandPrice(size.name),
        available: (!isSpot || size.spot) && !former.includes(zone) && market.isAvailable(size, zone, capacityType),
      }
    }),
  )
}
