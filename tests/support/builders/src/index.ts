export { type NodeOptions, node } from './builders/node.ts'
export { type NodeClaimOptions, nodeClaim } from './builders/node-claim.ts'
export {
  aksNodeClass,
  clusterApiNodeClass,
  ec2NodeClass,
  kwokNodeClass,
  type NodeClassOptions,
  nodeClassRef,
} from './builders/node-class.ts'
export { type NodePoolOptions, nodePool } from './builders/node-pool.ts'
export { type PodOptions, type PodOwner, pod } from './builders/pod.ts'
export { condition } from './condition.ts'
export { readyNodeLabels } from './node-labels.ts'
export { running } from './running-pod.ts'
export { isNightly, propertyRuns, sampled } from './sampled.ts'
export { awayFrom, inAnyOf, near, spreadOver } from './scheduling-terms.ts'
export { type FieldPath, fieldPaths, unreadable } from './unreadable.ts'
