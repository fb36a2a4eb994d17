import type { NodeClaim, NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { CloudProvider } from './cloud-provider.ts'
import { plainPart } from './measured-provider.ts'

/**
 * Returns the provider with declared prices applied to its instance types. NodeOverlays are applied afterwards
 * (`docs/spec/policies.md#price-book`).
 */
export const pricedProvider = (
  provider: CloudProvider,
  apply: (types: readonly InstanceType[]) => readonly InstanceType[],
): CloudProvider => ({
  ...plainPart(provider),
  create: (claim: NodeClaim, signal: AbortSignal) => provider.create(claim, signal),
  delete: (claim: NodeClaim, signal: AbortSignal) => provider.delete(claim, signal),
  get: (providerID: string, signal: AbortSignal) => provider.get(providerID, signal),
  list: (signal: AbortSignal) => provider.list(signal),
  isDrifted: (claim: NodeClaim, signal: AbortSignal) => provider.isDrifted(claim, signal),
  instanceTypes: async (pool: NodePool, signal: AbortSignal) => apply(await provider.instanceTypes(pool, signal)),
})
