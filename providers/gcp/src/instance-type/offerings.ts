import { labels, type UsdPerHour } from '@kerf/apis'
import type { Offering, RequirementSpec } from '@kerf/engine'
import { gcpLabels } from '../label-names.ts'

export type GcpCapacityType = 'on-demand' | 'spot'

/** The zones and prices of Google Cloud's instance types, and whether they can be launched now. */
export interface Market {
  readonly region: string
  /** Returns the zones of the cluster in which the instance type exists, sorted. */
  zones(type: string): readonly string[]
  /** Returns undefined if the price is unknown. In that case, the instance type has no offering there. */
  price(type: string, zone: string, capacityType: GcpCapacityType): UsdPerHour | undefined
  /** Returns false if a launch failed recently for lack of capacity. */
  isAvailable(type: string, zone: string, capacityType: GcpCapacityType): boolean
}

const is = (key: string, value: string): RequirementSpec => ({ key, operator: 'In', values: [value] })

/** Returns the offerings of a type: zones and capacity types with a price (`providers/gcp/docs/spec/gcp.md#instance-types`). */
export const typeOfferings = (type: string, market: Market): readonly Offering[] =>
  market.zones(type).flatMap((zone) =>
    (['on-demand', 'spot'] as const).flatMap((capacityType): readonly Offering[] => {
      const price = market.price(type, zone, capacityType)
      if (price === undefined) return []
      return [
        {
          requirements: [is(labels.capacityType, capacityType), is(labels.zone, zone), is(gcpLabels.zoneId, zone)],
          price,
          available: market.isAvailable(type, zone, capacityType),
        },
      ]
    }),
  )
