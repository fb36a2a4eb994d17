import { isConditionTrue, karpenterKinds, labels, type NodeOverlay, type UsdPerHour } from '@kerf/apis'
import type { InformerFactory } from '@kerf/runtime'

/**
 * Returns the instance types in an overlay's requirements. Returns none if the overlay also has other requirements, because it is not known
 * here which offerings they match.
 */
const overlaidTypes = ({ spec }: NodeOverlay): readonly string[] => {
  const [only, ...rest] = spec.requirements
  return rest.length === 0 && only?.key === labels.instanceType && only.operator === 'In' ? (only.values ?? []) : []
}

const overlayPrice = ({ spec }: NodeOverlay): UsdPerHour | undefined => {
  const price = Number(spec.price ?? Number.NaN)
  return Number.isFinite(price) && price >= 0 ? price : undefined
}

const overlayWeight = ({ spec }: NodeOverlay): number => spec.weight ?? 0

/**
 * The prices that NodeOverlays set, by instance type (`docs/spec/provider-contract.md#decorators`). Plans always apply overlays. This class
 * is needed for types without a price from the cloud: an overlay's price makes them available for plans and launches.
 */
export class OverlayPrices {
  readonly #overlays: ReturnType<InformerFactory['of']> | undefined

  /** Without informers, for example if the feature gate NodeOverlay is disabled, there are no overlay prices. */
  constructor(informers?: InformerFactory) {
    this.#overlays = informers?.of(karpenterKinds.NodeOverlay)
  }

  /**
   * Returns the prices of the active overlays, by instance type. If several overlays contain the same type, the one with the highest weight
   * applies.
   */
  current(): ReadonlyMap<string, UsdPerHour> {
    const inForce = [...((this.#overlays?.values() ?? []) as Iterable<NodeOverlay>)]
      .filter((each) => each.metadata.deletionTimestamp === undefined && isConditionTrue(each, 'ValidationSucceeded'))
      .toSorted((a, b) => overlayWeight(a) - overlayWeight(b) || (a.metadata.name < b.metadata.name ? -1 : 1))
    return new Map(
      inForce.flatMap((overlay) => {
        const price = overlayPrice(overlay)
        return price === undefined ? [] : overlaidTypes(overlay).map((type) => [type, price] as const)
      }),
    )
  }
}
