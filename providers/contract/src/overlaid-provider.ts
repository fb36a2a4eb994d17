import { formatResources, labels, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import type { CloudProvider, ComingInstance } from './cloud-provider.ts'
import { findError, LaunchPendingError } from './errors.ts'
import { plainPart } from './measured-provider.ts'

/**
 * Applies the prices and the capacity of NodeOverlays to a pool's instance types. Changed types are copies. Unchanged types remain the same
 * objects.
 *
 * @throws UnevaluatedNodePoolError while the pool's overlays have not been evaluated.
 */
export interface InstanceTypeOverlays {
  apply(pool: NodePool, types: readonly InstanceType[]): readonly InstanceType[]
  /** Returns the additional capacity of an instance type in a NodePool, or `undefined` if there is none. */
  capacityOf?(pool: string, instanceType: string): Resources | undefined
}

/**
 * Adds the capacity of overlays to an instance. The provider does not know this capacity, and the node reports it only after a device
 * plugin has started. Without it, the pod for which the instance was launched would not fit on the NodeClaim, and every pass would launch
 * another node.
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

/** Returns the error of `create`. If the error describes a pending instance, the capacity of overlays is added to that instance. */
const withOverlaidPromise = (error: unknown, claim: NodeClaim, overlays: InstanceTypeOverlays): unknown => {
  const pending = findError(error, LaunchPendingError)
  if (pending?.coming === undefined) return error
  const coming = withOverlaidCapacity(pending.coming, claim, overlays)
  return new LaunchPendingError(pending.message, pending.retryAfter, { coming, cause: error })
}

/**
 * Returns the provider with overlays applied to its instance types. All controllers use it, except for the overlay controller, which uses
 * the provider without overlays (`docs/spec/provider-contract.md#decorators`).
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
