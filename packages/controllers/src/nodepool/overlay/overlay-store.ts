import type { NodePool, UsdPerHour } from '@kerf/apis'
import type { InstanceType, LabelRules, Offering, Resources } from '@kerf/engine'
import { type InstanceTypeOverlays, UnevaluatedNodePoolError } from '@kerf/provider-contract'
import { adjustedPrice } from './adjusted-price.ts'
import { type Overlays, offeringKey, type TypeOverlay } from './evaluation.ts'

/**
 * Stores the overlays in force. All overlays are replaced together, so that no reader sees an incomplete evaluation. Between replacements,
 * the store returns the same objects for the same instance types, because the engine caches by object identity.
 */
export class OverlayStore implements InstanceTypeOverlays {
  readonly #rules: LabelRules
  #overlays: Overlays = new Map()
  #applied = new Map<string, { readonly from: readonly InstanceType[]; readonly to: readonly InstanceType[] }>()

  constructor(rules: LabelRules) {
    this.#rules = rules
  }

  replace(overlays: Overlays): void {
    this.#overlays = overlays
    this.#applied = new Map()
  }

  apply(pool: NodePool, types: readonly InstanceType[]): readonly InstanceType[] {
    const name = pool.metadata.name
    const ofPool = this.#overlays.get(name)
    if (ofPool === undefined) throw new UnevaluatedNodePoolError(name)
    const known = this.#applied.get(name)
    if (known?.from === types) return known.to
    const to = ofPool.size === 0 ? types : types.map((type) => this.#overlaid(type, ofPool.get(type.name)))
    this.#applied.set(name, { from: types, to })
    return to
  }

  /** Returns the price of an offering in a pool. Returns the provider's price until the pool's overlays have been evaluated. */
  priceOf(pool: string, instanceType: string, offering: Offering): UsdPerHour | undefined {
    const adjustment = this.#overlays.get(pool)?.get(instanceType)?.prices.get(offeringKey(this.#rules, offering))
    return adjustment === undefined ? offering.price : adjustedPrice(offering.price, adjustment)
  }

  capacityOf(pool: string, instanceType: string): Resources | undefined {
    const capacity = this.#overlays.get(pool)?.get(instanceType)?.capacity
    return capacity === undefined || Object.keys(capacity).length === 0 ? undefined : capacity
  }

  #overlaid(type: InstanceType, overlay: TypeOverlay | undefined): InstanceType {
    if (overlay === undefined) return type
    const addsCapacity = Object.keys(overlay.capacity).length > 0
    return {
      ...type,
      ...(addsCapacity ? { capacity: { ...type.capacity, ...overlay.capacity }, capacityOverlayApplied: true } : {}),
      offerings: type.offerings.map((offering) => {
        const adjustment = overlay.prices.get(offeringKey(this.#rules, offering))
        if (adjustment === undefined) return offering
        return { ...offering, price: adjustedPrice(offering.price, adjustment), priceOverlayApplied: true }
      }),
    }
  }
}
