import { capacityTypes, labels, type UsdPerHour } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import { azureLabels } from '../label-names.ts'
import type { VmSize } from '../sizes/vm-size.ts'
import { choosePlacementScope, REGIONAL, zoneLabel, zoneOfLabel } from './zones.ts'

/** The prices and the availability of sizes. */
export interface Market {
  readonly location: string
  onDemandPrice(size: string): UsdPerHour | undefined
  spotPrice(size: string): UsdPerHour | undefined
  /** Returns false if a failed launch or the quota makes the offering unavailable. */
  isAvailable(size: VmSize, zone: string, capacityType: 'on-demand' | 'spot'): boolean
}

const is = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

const hasUltraSsd = ({ ultraSsd }: VmSize, zone: string | undefined): boolean =>
  zone === undefined ? ultraSsd.withoutZone : ultraSsd.zones.includes(zone)

/**
 * Returns the offerings of the size in every zone and without a zone, on-demand and spot (`providers/azure/docs/spec/azure.md#offerings`).
 * Unavailable ones stay in the list.
 */
export const listOfferings = (size: VmSize, market: Market): readonly Offering[] => {
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
          is(azureLabels.placementScope, choosePlacementScope(zone)),
          is(azureLabels.ultraSsd, ...ultraSsd),
        ],
        price: isSpot ? market.spotPrice(size.name) : market.onDemandPrice(size.name),
        available: (!isSpot || size.spot) && !former.includes(zone) && market.isAvailable(size, zone, capacityType),
      }
    }),
  )
}
