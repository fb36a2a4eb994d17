import type { CustomResource } from '../schema/custom-resource.ts'
import { aksNodeClassResource } from './aks-node-class.ts'
import { capacityBufferResource } from './capacity-buffer.ts'
import { clusterApiNodeClassResource } from './cluster-api-node-class.ts'
import { ec2NodeClassResource } from './ec2-node-class.ts'
import { kwokNodeClassResource } from './kwok-node-class.ts'
import { nodeClaimResource } from './node-claim.ts'
import { nodeOverlayResource } from './node-overlay.ts'
import { nodePoolResource } from './node-pool.ts'

export type { AKSNodeClass, AKSNodeClassSpec, AKSNodeClassStatus } from './aks-node-class.ts'
export type { CapacityBuffer, CapacityBufferSpec, CapacityBufferStatus } from './capacity-buffer.ts'
export type {
  ClusterAPINodeClass,
  ClusterAPINodeClassSpec,
  ClusterAPINodeClassStatus,
} from './cluster-api-node-class.ts'
export type { EC2NodeClass, EC2NodeClassSpec, EC2NodeClassStatus } from './ec2-node-class.ts'
export type { KWOKNodeClass, KWOKNodeClassSpec, KWOKNodeClassStatus } from './kwok-node-class.ts'
export type { NodeClaim, NodeClaimSpec, NodeClaimStatus } from './node-claim.ts'
export type { NodeOverlay, NodeOverlaySpec, NodeOverlayStatus } from './node-overlay.ts'
export type { DisruptionBudget, NodePool, NodePoolSpec, NodePoolStatus, NodePoolTemplate } from './node-pool.ts'

/** The addresses of Karpenter's kinds in the API, like `kinds` for built-in kinds. */
export const karpenterKinds = {
  NodePool: nodePoolResource.kind,
  NodeClaim: nodeClaimResource.kind,
  NodeOverlay: nodeOverlayResource.kind,
  CapacityBuffer: capacityBufferResource.kind,
  KWOKNodeClass: kwokNodeClassResource.kind,
  EC2NodeClass: ec2NodeClassResource.kind,
  ClusterAPINodeClass: clusterApiNodeClassResource.kind,
  AKSNodeClass: aksNodeClassResource.kind,
} as const

/** The custom resources of every provider, in the order of installation. */
export const coreResources: readonly CustomResource[] = [
  nodePoolResource,
  nodeClaimResource,
  nodeOverlayResource,
  capacityBufferResource,
]

/** The custom resources of this package, in the order of installation. */
export const customResources: readonly CustomResource[] = [
  ...coreResources,
  kwokNodeClassResource,
  ec2NodeClassResource,
  clusterApiNodeClassResource,
  aksNodeClassResource,
]

export { withAwsRules } from './aws-rules.ts'
export { aksNodeClassResource, clusterApiNodeClassResource, ec2NodeClassResource, kwokNodeClassResource }
