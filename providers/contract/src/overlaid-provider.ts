import type { NodeClaim, NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { CloudProvider } from './cloud-provider.ts'
import { plainPart } from './measured-provider.ts'

/**
 * Prices and capacity that NodeOverlays give to a pool's types. Copies what it changes and hands the rest back as it is.
 *
 * @throws UnevaluatedNodePoolError while the pool's overlays have not been worked out.
 */
export interface InstanceTypeOverlays {
  apply(pool: NodePool, types: readonly InstanceType[]): readonly InstanceType[]
}

/**
 * The provider as everybody but the overlay controller sees it: instance types come with overlays applied. The overlay
 * controller works on the provider without this layer (`spec/provider-contract.md` 1.4).
 */
export const overlaidProvider = (provider: CloudProvider, overlays: InstanceTypeOverlays): CloudProvider => ({
  ...plainPart(provider),
  create: (claim: NodeClaim, signal: AbortSignal) => provider.create(claim, signal),
  delete: (claim: NodeClaim, signal: AbortSignal) => provider.delete(claim, signal),
  get: (providerID: string, signal: AbortSignal) => provider.get(providerID, signal),
  list: (signal: AbortSignal) => provider.list(signal),
  isDrifted: (claim: NodeClaim, signal: AbortSignal) => provider.isDrifted(claim, signal),
  instanceTypes: async (pool: NodePool, signal: AbortSignal) =>
    overlays.apply(pool, await provider.instanceTypes(pool, signal)),
})
