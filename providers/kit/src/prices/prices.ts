import type { UsdPerHour } from '@kerf/apis'

/** Prices by instance type. A price is `undefined` if it is unknown. */
export interface Prices {
  onDemand(typeName: string): UsdPerHour | undefined
  spot(typeName: string, zone: string): UsdPerHour | undefined
}
