import { isConditionTrue, karpenterKinds, labels, type NodeOverlay, type UsdPerHour } from '@kerf/apis'
import type { InformerFactory } from '@kerf/runtime'

/** The types that an overlay names, and nothing else: of others it is not known here which offerings they mean. */
const typesOf = ({ spec }: NodeOverlay): readonly string[] => {
  const [only, ...rest] = spec.requirements
  return rest.length === 0 && only?.key === labels.instanceType && only.operator === 'In' ? (only.values ?? []) : []
}

const priceOf = ({ spec }: NodeOverlay): UsdPerHour | undefined => {
  const price = Number(spec.price ?? Number.NaN)
  return Number.isFinite(price) && price >= 0 ? price : undefined
}

const weightOf = ({ spec }: NodeOverlay): number => spec.weight ?? 0

/**
 * Prices by instance type that NodeOverlays tell (`docs/spec/provider-contract.md#decorators`). Plans see them anyway; here
 * they make what the cloud names no price of something that can be bought, for plans and launches alike.
 */
export class OverlayPrices {
  readonly #overlays: ReturnType<InformerFactory['of']> | undefined

  /** Without informers, as while the feature gate NodeOverlay is off, there are none. */
  constructor(informers?: InformerFactory) {
    this.#overlays = informers?.of(karpenterKinds.NodeOverlay)
  }

  /** Of the overlays in force, the heavier before the lighter. */
  current(): ReadonlyMap<string, UsdPerHour> {
    const inForce = [...((this.#overlays?.values() ?? []) as Iterable<NodeOverlay>)]
      .filter((each) => each.metadata.deletionTimestamp === undefined && isConditionTrue(each, 'ValidationSucceeded'))
      .toSorted((a, b) => weightOf(a) - weightOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1))
    return new Map(
      inForce.flatMap((overlay) => {
        const price = priceOf(overlay)
        return price === undefined ? [] : typesOf(overlay).map((type) => [type, price] as const)
      }),
    )
  }
}
