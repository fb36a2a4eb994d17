/** The parts of the node class that other packages may use. This module imports no SDK. */

export { gceNodeClassMeanings } from './condition-meanings.ts'
export { gceNodeClassConditions } from './conditions.ts'
export {
  type GCENodeClass,
  type GCENodeClassSpec,
  type GCENodeClassStatus,
  gceNodeClassKind,
  gceNodeClassResource,
} from './gce-node-class.ts'
export { NODE_CLASS_HASH_VERSION, nodeClassHash } from './hash.ts'
