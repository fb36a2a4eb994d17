import type { UsdPerHour } from '@kerf/apis'

/** Prices by instance type. `undefined` if no price is known. */
export interface Prices {
  onDemand(typeName: string): UsdPerHour | undefined
  spot(typeName: string, zone: string): UsdPerHour | undefined
}
