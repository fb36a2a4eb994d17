import { type CapacityType, capacityTypes, labels, type UsdPerHour } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import type { EcsType } from '../ecs-types/ecs-type.ts'
import { alibabaLabels } from '../label-names.ts'

/** The prices and the availability of instance types in one region. */
export interface Market {
  readonly region: string
  /** The zones that the node class allows. */
  readonly zones: readonly string[]
  onDemandPrice(type: string): UsdPerHour | undefined
  spotPrice(type: string, zone: string): UsdPerHour | undefined
  /** Returns false if the instance type is out of stock in the zone, or if its launch recently failed there. */
  isAvailable(type: EcsType, zone: string, capacityType: CapacityType): boolean
}

const is = (key: string, value: string): RequirementSpec => ({ key, operator: 'In', values: [value] })

/**
 * Returns the offerings of an instance type in each zone, on-demand and spot
 * (`providers/alibaba/docs/spec/alibaba.md#instance-types-and-prices`). Omits offerings without a price. Includes unavailable offerings.
 */
export const typeOfferings = (type: EcsType, market: Market): readonly Offering[] =>
  market.zones.flatMap((zone) =>
    [capacityTypes.onDemand, capacityTypes.spot].flatMap((capacityType): readonly Offering[] => {
      const price =
        capacityType === capacityTypes.spot ? market.spotPrice(type.name, zone) : market.onDemandPrice(type.name)
      if (price === undefined) return []
      return [
        {
          requirements: [is(labels.capacityType, capacityType), is(labels.zone, zone), is(alibabaLabels.zoneId, zone)],
          price,
          available: market.isAvailable(type, zone, capacityType),
        },
      ]
    }),
  )
