import type { NodeClaim, NodePool } from '@kerf/apis'
import type { CloudProvider } from '@kerf/provider-contract'

/** A reference to a NodeClass. */
export type NodeClassRef = NodePool['spec']['template']['spec']['nodeClassRef']

type Served = Pick<CloudProvider, 'nodeClasses'>

/** Returns whether the provider serves NodeClasses of this kind. If not, another provider is responsible for the object. */
const servesNodeClass = (provider: Served, ref: NodeClassRef): boolean =>
  provider.nodeClasses.some((kind) => kind.group === ref.group && kind.kind === ref.kind)

export const isManagedClaim = (provider: Served, claim: NodeClaim): boolean =>
  servesNodeClass(provider, claim.spec.nodeClassRef)

export const isManagedPool = (provider: Served, pool: NodePool): boolean =>
  servesNodeClass(provider, pool.spec.template.spec.nodeClassRef)
