import type { UsdPerHour } from '@kerf/apis'

/** The fields of a Cloud Billing Catalog SKU that Kerf computes prices from (`cloudbilling.googleapis.com/v1`, `Sku`). */
export interface Sku {
  readonly description?: string
  readonly category?: { readonly resourceFamily?: string; readonly usageType?: string }
  readonly serviceRegions?: readonly string[]
  /** The last entry is the current price. */
  readonly pricingInfo?: readonly {
    readonly pricingExpression?: {
      readonly usageUnit?: string
      readonly tieredRates?: readonly {
        readonly unitPrice?: { readonly currencyCode?: string; readonly units?: string; readonly nanos?: number }
      }[]
    }
  }[]
}

export type CapacityType = 'on-demand' | 'spot'

/**
 * The price of one component of an instance, in USD an hour. A component is a vCPU or a GiB of memory of a machine family (`n2 core`, `n2
 * ram`), or a GPU (`nvidia-l4`).
 */
export interface ComponentRate {
  readonly component: string
  readonly capacityType: CapacityType
  readonly rate: UsdPerHour
}

const USAGE_TYPES: ReadonlyMap<string, CapacityType> = new Map([
  ['OnDemand', 'on-demand'],
  ['Preemptible', 'spot'],
])
const UNITS = { core: 'h', ram: 'GiBy.h', gpu: 'h' } as const

/** GPU types of the Compute Engine API, by the name of the GPU in the SKU descriptions. */
const GPUS: ReadonlyMap<string, string> = new Map([
  ['Nvidia L4', 'nvidia-l4'],
  ['Nvidia Tesla A100', 'nvidia-tesla-a100'],
])

const VM = /^(?:Spot Preemptible )?(.+?) (?:Instance )?(Core|Ram) running in /
const GPU = /^(.+?) GPU (?:running in|attached to Spot Preemptible VMs running in) /
/**
 * Matches a machine family, for example `N2D AMD` or `N1 Predefined`. Does not match descriptions of other products, for example `N2
 * Custom`.
 */
const FAMILY = /^([A-Z]\d+[A-Z]?)(?: AMD| Arm| Predefined| Memory-optimized)?$/
/** Machine families that have a different name in SKU descriptions. */
const UNNAMED: ReadonlyMap<string, string> = new Map([
  ['Compute optimized', 'c2'],
  ['Memory-optimized', 'm1'],
])

const componentOf = (description: string): readonly [component: string, unit: string] | undefined => {
  const gpu = GPUS.get(GPU.exec(description)?.[1] ?? '')
  if (gpu !== undefined) return [gpu, UNITS.gpu]
  const [, words = '', resource] = VM.exec(description) ?? []
  const family = UNNAMED.get(words) ?? FAMILY.exec(words)?.[1]?.toLowerCase()
  if (family === undefined) return undefined
  return resource === 'Core' ? [`${family} core`, UNITS.core] : [`${family} ram`, UNITS.ram]
}

/** Returns the price that the SKU sets for a component in a region, or undefined for any other SKU. */
export const componentRate = (sku: Sku, region: string): ComponentRate | undefined => {
  const { description = '', category = {}, serviceRegions = [], pricingInfo = [] } = sku
  const capacityType = USAGE_TYPES.get(category.usageType ?? '')
  if (capacityType === undefined || category.resourceFamily !== 'Compute' || !serviceRegions.includes(region))
    return undefined
  const [component, unit] = componentOf(description) ?? []
  const { usageUnit, tieredRates = [] } = pricingInfo.at(-1)?.pricingExpression ?? {}
  const price = tieredRates.at(-1)?.unitPrice
  if (component === undefined || usageUnit !== unit || price?.currencyCode !== 'USD') return undefined
  const rate = Number(price.units ?? '0') + (price.nanos ?? 0) / 1e9
  return rate > 0 ? { component, capacityType, rate } : undefined
}
