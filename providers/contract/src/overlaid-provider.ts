import { formatResources, labels, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import type { CloudProvider, ComingInstance } from './cloud-provider.ts'
import { findError, LaunchPendingError } from './errors.ts'
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
const withOverlaidCapacity = <Instance extends ComingInstance>(
  view: Instance,
  claim: NodeClaim,
  overlays: InstanceTypeOverlays,
): Instance => {
  const pool = claim.metadata.labels?.[labels.nodePool]
  const type = view.labels[labels.instanceType]
  const added = pool === undefined || type === undefined ? undefined : overlays.capacityOf?.(pool, type)
  if (added === undefined) return view
  const texts = formatResources(added)
  return { ...view, capacity: { ...view.capacity, ...texts }, allocatable: { ...view.allocatable, ...texts } }
}

/** The error of `create`; one that promises an instance promises the overlaid capacity too. */
const withOverlaidPromise = (error: unknown, claim: NodeClaim, overlays: InstanceTypeOverlays): unknown => {
  const pending = findError(error, LaunchPendingError)
  if (pending?.coming === undefined) return error
  const coming = withOverlaidCapacity(pending.coming, claim, overlays)
  return new LaunchPendingError(pending.message, pending.retryAfter, { coming, cause: error })
}

/**
 * The provider as everybody but the overlay controller sees it: instance types come with overlays applied. The overlay
 * controller works on the provider without this layer (`docs/spec/provider-contract.md#decorators`).
 */
export const overlaidProvider = (provider: CloudProvider, overlays: InstanceTypeOverlays): CloudProvider => ({
  ...plainPart(provider),
  create: async (claim: NodeClaim, signal: AbortSignal) => {
    try {
      return withOverlaidCapacity(await provider.create(claim, signal), claim, overlays)
    } catch (error) {
      throw withOverlaidPromise(error, claim, overlays)
    }
  },
  delete: (claim: NodeClaim, signal: AbortSignal) => provider.delete(claim, signal),
  get: (providerID: string, signal: AbortSignal) => provider.get(providerID, signal),
  list: (signal: AbortSignal) => provider.list(signal),
  isDrifted: (claim: NodeClaim, signal: AbortSignal) => provider.isDrifted(claim, signal),
  instanceTypes: async (pool: NodePool, signal: AbortSignal) =>
    overlays.apply(pool, await provider.instanceTypes(pool, signal)),
})
