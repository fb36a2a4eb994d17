import type { InstanceType } from '@kerf/engine'
import type { DeclaredPrices } from '@kerf/provider-contract'
import { nodeClassKey } from '@kerf/provider-kit'
import { classTraits } from '../instance-type/class-traits.ts'
import { buildInstanceTypes, MEMORY_OVERHEAD } from '../instance-type/instance-type.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import type { AzurePrices } from '../pricing/azure-prices.ts'
import type { CoreQuotas } from '../quota/core-quotas.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import type { LocationSizes } from '../sizes/location-sizes.ts'
import type { UnavailableSizes } from './unavailable-sizes.ts'

export interface TypeDeps {
  readonly sizes: LocationSizes
  readonly prices: AzurePrices
  readonly unavailable: UnavailableSizes
  readonly quotas: CoreQuotas
  readonly settings: AzureSettings
  /** The prices of the price book. */
  readonly declared: DeclaredPrices
}

/** The number of cached node class variants. A cluster rarely has more. */
const MOST_KEPT = 32

/**
 * Resolves the instance types of node classes, and computes them again when their inputs change
 * (`providers/azure/docs/spec/azure.md#instance-types`).
 */
export class TypeResolver {
  readonly #deps: TypeDeps
  readonly #kept = new Map<string, readonly InstanceType[]>()
  #state = ''

  constructor(deps: TypeDeps) {
    this.#deps = deps
  }

  async resolve(
    nodeClass: Pick<AKSNodeClass, 'metadata' | 'spec' | 'status'>,
    signal: AbortSignal,
  ): Promise<readonly InstanceType[]> {
    const { sizes, prices, unavailable, quotas, settings, declared } = this.#deps
    await sizes.ensure(signal)
    const state = [sizes.sequence, prices.sequence, unavailable.sequence, quotas.sequence].join()
    if (state !== this.#state || this.#kept.size > MOST_KEPT) this.#kept.clear()
    this.#state = state
    const traits = classTraits(nodeClass, settings)
    const classKey = nodeClassKey(nodeClass)
    const key = JSON.stringify([traits, unavailable.hasDenied(classKey) ? classKey : ''])
    const known = this.#kept.get(key)
    if (known !== undefined) return declared.apply(known)
    const types = buildInstanceTypes(
      sizes.all,
      traits,
      {
        location: settings.azureLocation,
        onDemandPrice: (size) => prices.onDemand(size),
        spotPrice: (size) => prices.spot(size),
        isAvailable: (size, zone, capacityType) =>
          !unavailable.isUnavailable(size, zone, capacityType, classKey) &&
          (capacityType === 'spot' || quotas.hasCapacityFor(size)),
      },
      {
        nodeResourceGroup: settings.azureNodeResourceGroup,
        vmMemoryOverheadPercent: settings.vmMemoryOverheadPercent ?? MEMORY_OVERHEAD,
      },
    )
    this.#kept.set(key, types)
    return declared.apply(types)
  }
}
