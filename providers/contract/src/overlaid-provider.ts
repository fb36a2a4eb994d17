import { formatResources, labels, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import type { CloudProvider, InstanceView } from './cloud-provider.ts'
import { plainPart } from './measured-provider.ts'

/**
 * Prices and capacity that NodeOverlays give to a pool's types. Copies what it changes and hands the rest back as it is.
 *
 * @throws UnevaluatedNodePoolError while the pool's overlays have not been worked out.
 */
export interface InstanceTypeOverlays {
  apply(pool: NodePool, types: readonly InstanceType[]): readonly InstanceType[]
  /** What instances of a type have in a pool besides what the provider knows; `undefined` for nothing. */
  capacityOf?(pool: string, instanceType: string): Resources | undefined
}

/**
 * The provider does not know overlaid capacity, and the node reports it only once a device plugin runs. Until then the claim
 * must promise it: otherwise the pod that it was launched for would not fit, and would get another node in every pass.
 */
const withOverlaidCapacity = (view: InstanceView, claim: NodeClaim, overlays: InstanceTypeOverlays): InstanceView => {
  const pool = claim.metadata.labels?.[labels.nodePool]
  const type = view.labels[labels.instanceType]
  const added = pool === undefined || type === undefined ? undefined : overlays.capacityOf?.(pool, type)
  if (added === undefined) return view
  const texts = formatResources(added)
  return { ...view, capacity: { ...view.capacity, ...texts }, allocatable: { ...view.allocatable, ...texts } }
}

/**
 * The provider as everybody but the overlay controller sees it: instance types come with overlays applied. The overlay
 * controller works on the provider without this layer (`docs/spec/provider-contract.md#decorators`).
 */
export const overlaidProvider = (provider: CloudProvider, overlays: InstanceTypeOverlays): CloudProvider => ({
  ...plainPart(provider),
  create: async (claim: NodeClaim, signal: AbortSignal) =>
    withOverlaidCapacity(await provider.create(claim, signal), claim, overlays),
  delete: (claim: NodeClaim, signal: AbortSignal) => provider.delete(claim, signal),
  get: (providerID: string, signal: AbortSignal) => provider.get(providerID, signal),
  list: (signal: AbortSignal) => provider.list(signal),
  isDrifted: (claim: NodeClaim, signal: AbortSignal) => provider.isDrifted(claim, signal),
  instanceTypes: async (pool: NodePool, signal: AbortSignal) =>
    overlays.apply(pool, await provider.instanceTypes(pool, signal)),
})
