import type { CustomResource } from '../schema/custom-resource.ts'
import { capacityBufferResource } from './capacity-buffer.ts'
import { clusterPolicyResource } from './cluster-policy.ts'
import { nodeClaimResource } from './node-claim.ts'
import { nodeOverlayResource } from './node-overlay.ts'
import { nodePoolResource } from './node-pool.ts'
import { nodePoolPolicyResource } from './node-pool-policy.ts'

export type { CapacityBuffer, CapacityBufferSpec, CapacityBufferStatus } from './capacity-buffer.ts'
export type {
  ClusterPolicy,
  ClusterPolicySpec,
  ClusterPolicyStatus,
} from './cluster-policy.ts'
export {
  COMMITMENT_CONFIG_MAP,
  COMMITMENT_KEY,
  type CommitmentDocument,
  readCommitmentDocument,
} from './commitment-source-fields.ts'
export type { NodeClaim, NodeClaimSpec, NodeClaimStatus } from './node-claim.ts'
export type { NodeOverlay, NodeOverlaySpec, NodeOverlayStatus } from './node-overlay.ts'
export type { DisruptionBudget, NodePool, NodePoolSpec, NodePoolStatus, NodePoolTemplate } from './node-pool.ts'
export type { NodePoolPolicy, NodePoolPolicySpec, NodePoolPolicyStatus } from './node-pool-policy.ts'
export { ABOVE_ZERO, MOST_DECLARED_PRICES, PRICE_CONFIG_MAP, PRICE_KEY } from './price-book-fields.ts'

/** Group, version and plural of the resource kinds that every provider uses, like `kinds` for built-in kinds. */
export const karpenterKinds = {
  NodePool: nodePoolResource.kind,
  NodeClaim: nodeClaimResource.kind,
  NodeOverlay: nodeOverlayResource.kind,
  CapacityBuffer: capacityBufferResource.kind,
} as const

/** The kinds of policies, which only Kerf reads. Kerf works without their CRDs. */
export const policyKinds = {
  ClusterPolicy: clusterPolicyResource.kind,
  NodePoolPolicy: nodePoolPolicyResource.kind,
} as const

/** The custom resources that every provider uses, in the order of installation. */
export const coreResources: readonly CustomResource[] = [
  nodePoolResource,
  nodeClaimResource,
  nodeOverlayResource,
  capacityBufferResource,
  clusterPolicyResource,
  nodePoolPolicyResource,
]

export { clusterPolicyResource, nodeOverlayResource, nodePoolPolicyResource, nodePoolResource }
