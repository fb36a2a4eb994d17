import { labels, type UsdPerHour } from '@kerf/apis'
import { labelledPrice } from '@kerf/engine'
import type { InstanceTypesByPool } from './cluster-snapshot.ts'
import type { Sample } from './exposition.ts'
import { priceLabels } from './generated/displayed-kinds.ts'
import { at, objectLabel } from './read.ts'

/** The source of prices for a page. An unknown price is `undefined`, never 0. */
export interface Prices {
  /** Returns the price of the instance of a NodeClaim or Node. */
  readonly instance: (object: unknown) => UsdPerHour | undefined
  /** Returns the cost of all instances of a NodePool, as the controller reports it. */
  readonly pool: (name: string) => UsdPerHour | undefined
  /** True until the first request to the controller has ended. Prices that are unknown until then may become known. */
  readonly isAsking: boolean
}

/** The price function to use while no price is known. */
export const unknownPrice = (): undefined => undefined

/** Returns the price in the object's own label. The controllers of most clouds write no such label. */
export const labelPrice = (object: unknown): UsdPerHour | undefined => {
  const text = priceLabels.map((label) => objectLabel(object, label)).find((each) => each !== undefined)
  const price = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(price) && price >= 0 ? price : undefined
}

/** The prices in the labels of the objects. */
export const labelPrices: Prices = { instance: labelPrice, pool: unknownPrice, isAsking: false }

const textLabels = (object: unknown): Readonly<Record<string, string>> => {
  const found = at(object, 'metadata', 'labels')
  return typeof found === 'object' && found !== null
    ? Object.fromEntries(Object.entries(found).map(([key, value]) => [key, String(value)]))
    : {}
}

/** Returns the prices of the instance types that Kerf reports for each NodePool. They include NodeOverlays and price books. */
export const typePrices = (instanceTypes: InstanceTypesByPool): Prices => {
  const named = new Map(
    Array.from(instanceTypes, ([pool, types]) => [pool, new Map(types.map((type) => [type.name, type]))] as const),
  )
  return {
    instance: (object) => {
      const own = labelPrice(object)
      if (own !== undefined) return own
      const types = named.get(objectLabel(object, labels.nodePool) ?? '')
      return types && labelledPrice(textLabels(object), types)
    },
    pool: unknownPrice,
    isAsking: false,
  }
}

/** The metrics in which a controller reports prices. Not every provider has the first one. */
const OFFERING_PRICE = 'karpenter_cloudprovider_instance_type_offering_price_estimate'
const POOL_COST = 'karpenter_nodepools_cost_total'
export const priceMetrics: readonly string[] = [OFFERING_PRICE, POOL_COST]

const offeringKey = (type: string, capacityType: string, zone: string): string => `${type}\0${capacityType}\0${zone}`

/**
 * Returns the prices in the metrics of a controller. A provider may omit the capacity type or the zone. The value 0
 * means that no node class selects the reservation or that the price is unknown, so it is not used as a price.
 */
export const samplePrices = (samples: readonly Sample[]): Prices => {
  const offerings = new Map<string, UsdPerHour>()
  const pools = new Map<string, UsdPerHour>()
  for (const { name, labels: own, value } of samples) {
    if (!Number.isFinite(value) || value <= 0) continue
    if (name === OFFERING_PRICE)
      offerings.set(offeringKey(own['instance_type'] ?? '', own['capacity_type'] ?? '', own['zone'] ?? ''), value)
    else if (name === POOL_COST && own['nodepool'] !== undefined) pools.set(own['nodepool'], value)
  }
  return {
    instance: (object) => {
      const own = labelPrice(object)
      const type = objectLabel(object, labels.instanceType)
      if (own !== undefined || type === undefined) return own
      const capacityType = objectLabel(object, labels.capacityType) ?? ''
      const zone = objectLabel(object, labels.zone) ?? ''
      return (
        offerings.get(offeringKey(type, capacityType, zone)) ??
        offerings.get(offeringKey(type, capacityType, '')) ??
        offerings.get(offeringKey(type, '', ''))
      )
    },
    pool: (name) => pools.get(name),
    isAsking: false,
  }
}
